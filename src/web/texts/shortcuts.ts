import { shortcutsTexts } from "./en/shortcuts.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof shortcutsTexts> = textsOf("shortcuts", shortcutsTexts);
