import { filteredTexts } from "./en/filtered.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof filteredTexts> = textsOf("filtered", filteredTexts);
