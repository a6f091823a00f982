import { careTexts } from "./en/care.js";
import { type Texts, textsOf } from "./texts.js";

/** What the views about the data say of merging. */
export const t: Texts<typeof careTexts> = textsOf("care", careTexts);
