import { periodTexts } from "./en/period.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof periodTexts> = textsOf("period", periodTexts);
