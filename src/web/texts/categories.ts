import { categoriesTexts } from "./en/categories.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof categoriesTexts> = textsOf("categories", categoriesTexts);
