import { activityEmptyTexts } from "./en/activity-empty.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof activityEmptyTexts> = textsOf("activityEmpty", activityEmptyTexts);
