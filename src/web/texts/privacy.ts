import { privacyTexts } from "./en/privacy.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof privacyTexts> = textsOf("privacy", privacyTexts);
