import { categoryNamesTexts } from "./en/category-names.js";
import { type Texts, textsOf } from "./texts.js";

/** A category of a profession. */
export type CategoryName = keyof typeof categoryNamesTexts;

export const t: Texts<typeof categoryNamesTexts> = textsOf("categoryNames", categoryNamesTexts);
