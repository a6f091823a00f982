import { welcomeTexts } from "./en/welcome.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof welcomeTexts> = textsOf("welcome", welcomeTexts);
