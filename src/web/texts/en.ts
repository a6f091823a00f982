import { commonTexts } from "./en/common.js";
import { savedViewsTexts } from "./en/saved-views.js";
import { settingsTexts } from "./en/settings.js";
import { shellTexts } from "./en/shell.js";
import { stopwatchTexts } from "./en/stopwatch.js";
import { timesheetTexts } from "./en/timesheet.js";
import { welcomeTexts } from "./en/welcome.js";

/** The texts in English by view, from which all others are translated. Views import theirs one by one. */
export const english: {
  readonly common: typeof commonTexts;
  readonly savedViews: typeof savedViewsTexts;
  readonly settings: typeof settingsTexts;
  readonly shell: typeof shellTexts;
  readonly stopwatch: typeof stopwatchTexts;
  readonly timesheet: typeof timesheetTexts;
  readonly welcome: typeof welcomeTexts;
} = {
  common: commonTexts,
  savedViews: savedViewsTexts,
  settings: settingsTexts,
  shell: shellTexts,
  stopwatch: stopwatchTexts,
  timesheet: timesheetTexts,
  welcome: welcomeTexts,
};
