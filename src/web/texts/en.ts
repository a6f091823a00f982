import { commonTexts } from "./en/common.js";
import { settingsTexts } from "./en/settings.js";
import { stopwatchTexts } from "./en/stopwatch.js";
import { timesheetTexts } from "./en/timesheet.js";

/** The texts in English by view, from which all others are translated. Views import theirs one by one. */
export const english: {
  readonly common: typeof commonTexts;
  readonly settings: typeof settingsTexts;
  readonly stopwatch: typeof stopwatchTexts;
  readonly timesheet: typeof timesheetTexts;
} = {
  common: commonTexts,
  settings: settingsTexts,
  stopwatch: stopwatchTexts,
  timesheet: timesheetTexts,
};
