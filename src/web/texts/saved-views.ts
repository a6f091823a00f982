import { savedViewsTexts } from "./en/saved-views.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof savedViewsTexts> = textsOf("savedViews", savedViewsTexts);
