import { noticeTexts } from "./en/notice.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof noticeTexts> = textsOf("notice", noticeTexts);
