import { commonTexts } from "./en/common.js";
import { type Texts, textsOf } from "./texts.js";

/** What several views say. */
export const common: Texts<typeof commonTexts> = textsOf("common", commonTexts);
