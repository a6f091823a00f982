import { overviewTexts } from "./en/overview.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof overviewTexts> = textsOf("overview", overviewTexts);
