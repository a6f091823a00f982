import { searchTexts } from "./en/search.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof searchTexts> = textsOf("search", searchTexts);
