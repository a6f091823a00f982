import { accessTexts } from "./en/access.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof accessTexts> = textsOf("access", accessTexts);
