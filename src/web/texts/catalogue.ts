import type { english } from "./en.js";
import type { Translation } from "./text.js";

export type English = typeof english;

/** All texts in another language. */
export type Catalogue = { readonly [View in keyof English]: Translation<English[View]> };
