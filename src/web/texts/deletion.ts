import { deletionTexts } from "./en/deletion.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof deletionTexts> = textsOf("deletion", deletionTexts);
