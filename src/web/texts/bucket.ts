import { bucketTexts } from "./en/bucket.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof bucketTexts> = textsOf("bucket", bucketTexts);
