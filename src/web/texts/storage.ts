import { storageTexts } from "./en/storage.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof storageTexts> = textsOf("storage", storageTexts);
