import { stopwatchTexts } from "./en/stopwatch.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof stopwatchTexts> = textsOf("stopwatch", stopwatchTexts);
