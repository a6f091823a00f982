import { bucketsTexts } from "./en/buckets.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof bucketsTexts> = textsOf("buckets", bucketsTexts);
