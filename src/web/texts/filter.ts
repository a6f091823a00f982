import { filterTexts } from "./en/filter.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof filterTexts> = textsOf("filter", filterTexts);
