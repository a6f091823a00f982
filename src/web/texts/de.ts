import type { Catalogue } from "./catalogue.js";
import { access } from "./de/access.js";
import { activity } from "./de/activity.js";
import { activityEmpty } from "./de/activity-empty.js";
import { bucket } from "./de/bucket.js";
import { buckets } from "./de/buckets.js";
import { care } from "./de/care.js";
import { categories } from "./de/categories.js";
import { categoryNames } from "./de/category-names.js";
import { common } from "./de/common.js";
import { conditions } from "./de/conditions.js";
import { deletion } from "./de/deletion.js";
import { devices } from "./de/devices.js";
import { filter } from "./de/filter.js";
import { filtered } from "./de/filtered.js";
import { goals } from "./de/goals.js";
import { notice } from "./de/notice.js";
import { overview } from "./de/overview.js";
import { pairing } from "./de/pairing.js";
import { period } from "./de/period.js";
import { privacy } from "./de/privacy.js";
import { query } from "./de/query.js";
import { retention } from "./de/retention.js";
import { rules } from "./de/rules.js";
import { savedViews } from "./de/saved-views.js";
import { search } from "./de/search.js";
import { server } from "./de/server.js";
import { settings } from "./de/settings.js";
import { shell } from "./de/shell.js";
import { shortcuts } from "./de/shortcuts.js";
import { stopwatch } from "./de/stopwatch.js";
import { storage } from "./de/storage.js";
import { timeline } from "./de/timeline.js";
import { timesheet } from "./de/timesheet.js";
import { trash } from "./de/trash.js";
import { welcome } from "./de/welcome.js";
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
