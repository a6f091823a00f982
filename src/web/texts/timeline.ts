import { timelineTexts } from "./en/timeline.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof timelineTexts> = textsOf("timeline", timelineTexts);
