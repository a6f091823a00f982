import { conditionsTexts } from "./en/conditions.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof conditionsTexts> = textsOf("conditions", conditionsTexts);
