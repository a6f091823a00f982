import { retentionTexts } from "./en/retention.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof retentionTexts> = textsOf("retention", retentionTexts);
