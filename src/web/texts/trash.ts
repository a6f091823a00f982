import { trashTexts } from "./en/trash.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof trashTexts> = textsOf("trash", trashTexts);
