import { timesheetTexts } from "./en/timesheet.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof timesheetTexts> = textsOf("timesheet", timesheetTexts);
