import { shellTexts } from "./en/shell.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof shellTexts> = textsOf("shell", shellTexts);
