import { commonTexts } from "./en/common.js";
import { settingsTexts } from "./en/settings.js";

/** The texts in English by view, from which all others are translated. Views import theirs one by one. */
export const english: { readonly common: typeof commonTexts; readonly settings: typeof settingsTexts } = {
  common: commonTexts,
  settings: settingsTexts,
};
