import { careTexts } from "./en/care.js";
import { type Texts, textsOf } from "./texts.js";

/** What is said of merging and renaming, and of undoing them. */
export const t: Texts<typeof careTexts> = textsOf("care", careTexts);
