import type { Catalogue } from "./catalogue.js";
import { common } from "./he/common.js";
import { settings } from "./he/settings.js";
import { shell } from "./he/shell.js";
import { stopwatch } from "./he/stopwatch.js";
import { timesheet } from "./he/timesheet.js";

export const texts: Catalogue = { common, settings, shell, stopwatch, timesheet };
