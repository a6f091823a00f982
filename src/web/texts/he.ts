import type { Catalogue } from "./catalogue.js";
import { common } from "./he/common.js";
import { savedViews } from "./he/saved-views.js";
import { settings } from "./he/settings.js";
import { shell } from "./he/shell.js";
import { stopwatch } from "./he/stopwatch.js";
import { timesheet } from "./he/timesheet.js";
import { welcome } from "./he/welcome.js";

export const texts: Catalogue = { common, savedViews, settings, shell, stopwatch, timesheet, welcome };
