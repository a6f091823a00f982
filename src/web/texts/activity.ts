import { activityTexts } from "./en/activity.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof activityTexts> = textsOf("activity", activityTexts);
