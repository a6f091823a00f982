import { careTexts } from "./en/care.js";
import { type Texts, textsOf } from "./texts.js";

/** Texts about merging, renaming and undoing both. */
export const t: Texts<typeof careTexts> = textsOf("care", careTexts);
