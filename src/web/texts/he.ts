import type { Catalogue } from "./catalogue.js";
import { access } from "./he/access.js";
import { care } from "./he/care.js";
import { common } from "./he/common.js";
import { deletion } from "./he/deletion.js";
import { goals } from "./he/goals.js";
import { pairing } from "./he/pairing.js";
import { savedViews } from "./he/saved-views.js";
import { settings } from "./he/settings.js";
import { shell } from "./he/shell.js";
import { stopwatch } from "./he/stopwatch.js";
import { timesheet } from "./he/timesheet.js";
import { welcome } from "./he/welcome.js";

export const texts: Catalogue = {
  access,
  care,
  common,
  deletion,
  goals,
  pairing,
  savedViews,
  settings,
  shell,
  stopwatch,
  timesheet,
  welcome,
};
