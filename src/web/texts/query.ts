import { queryTexts } from "./en/query.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof queryTexts> = textsOf("query", queryTexts);
