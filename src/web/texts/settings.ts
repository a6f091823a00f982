import { settingsTexts } from "./en/settings.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof settingsTexts> = textsOf("settings", settingsTexts);
