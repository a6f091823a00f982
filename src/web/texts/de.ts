import type { Catalogue } from "./catalogue.js";
import { common } from "./de/common.js";
import { settings } from "./de/settings.js";
import { shell } from "./de/shell.js";
import { stopwatch } from "./de/stopwatch.js";
import { timesheet } from "./de/timesheet.js";

export const texts: Catalogue = { common, settings, shell, stopwatch, timesheet };
