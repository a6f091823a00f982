import type { Catalogue } from "./catalogue.js";
import { access } from "./he/access.js";
import { activity } from "./he/activity.js";
import { activityEmpty } from "./he/activity-empty.js";
import { bucket } from "./he/bucket.js";
import { buckets } from "./he/buckets.js";
import { care } from "./he/care.js";
import { categories } from "./he/categories.js";
import { categoryNames } from "./he/category-names.js";
import { common } from "./he/common.js";
import { conditions } from "./he/conditions.js";
import { deletion } from "./he/deletion.js";
import { devices } from "./he/devices.js";
import { filter } from "./he/filter.js";
import { filtered } from "./he/filtered.js";
import { goals } from "./he/goals.js";
import { notice } from "./he/notice.js";
import { overview } from "./he/overview.js";
import { pairing } from "./he/pairing.js";
import { period } from "./he/period.js";
import { privacy } from "./he/privacy.js";
import { query } from "./he/query.js";
import { retention } from "./he/retention.js";
import { rules } from "./he/rules.js";
import { savedViews } from "./he/saved-views.js";
import { search } from "./he/search.js";
import { server } from "./he/server.js";
import { settings } from "./he/settings.js";
import { shell } from "./he/shell.js";
import { shortcuts } from "./he/shortcuts.js";
import { stopwatch } from "./he/stopwatch.js";
import { storage } from "./he/storage.js";
import { timeline } from "./he/timeline.js";
import { timesheet } from "./he/timesheet.js";
import { trash } from "./he/trash.js";
import { welcome } from "./he/welcome.js";
import { type ServerWords, serverWords } from "./server-words.js";

export const texts: Catalogue = {
  period,
  activity,
  activityEmpty,
  access,
  bucket,
  buckets,
  care,
  categories,
  categoryNames,
  conditions,
  common,
  deletion,
  devices,
  filter,
  filtered,
  goals,
  notice,
  overview,
  pairing,
  privacy,
  query,
  retention,
  rules,
  savedViews,
  search,
  server,
  settings,
  shell,
  shortcuts,
  stopwatch,
  storage,
  timeline,
  timesheet,
  trash,
  welcome,
};

export const words: ServerWords = serverWords(server);
