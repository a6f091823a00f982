import { commonTexts } from "./en/common.js";
import { type Texts, textsOf } from "./texts.js";

/** Texts that several views share. */
export const common: Texts<typeof commonTexts> = textsOf("common", commonTexts);
