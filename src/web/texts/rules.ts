import { rulesTexts } from "./en/rules.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof rulesTexts> = textsOf("rules", rulesTexts);
