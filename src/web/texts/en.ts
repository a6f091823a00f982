import { accessTexts } from "./en/access.js";
/** English texts by view, the source of all translations. Views import theirs separately. */
import { activityTexts } from "./en/activity.js";
import { activityEmptyTexts } from "./en/activity-empty.js";
import { bucketTexts } from "./en/bucket.js";
import { bucketsTexts } from "./en/buckets.js";
import { careTexts } from "./en/care.js";
import { categoriesTexts } from "./en/categories.js";
import { categoryNamesTexts } from "./en/category-names.js";
import { commonTexts } from "./en/common.js";
import { conditionsTexts } from "./en/conditions.js";
import { deletionTexts } from "./en/deletion.js";
import { devicesTexts } from "./en/devices.js";
import { filterTexts } from "./en/filter.js";
import { filteredTexts } from "./en/filtered.js";
import { goalsTexts } from "./en/goals.js";
import { noticeTexts } from "./en/notice.js";
import { overviewTexts } from "./en/overview.js";
import { pairingTexts } from "./en/pairing.js";
import { periodTexts } from "./en/period.js";
import { privacyTexts } from "./en/privacy.js";
import { queryTexts } from "./en/query.js";
import { retentionTexts } from "./en/retention.js";
import { rulesTexts } from "./en/rules.js";
import { savedViewsTexts } from "./en/saved-views.js";
import { searchTexts } from "./en/search.js";
import { serverTexts } from "./en/server.js";
import { settingsTexts } from "./en/settings.js";
import { shellTexts } from "./en/shell.js";
import { shortcutsTexts } from "./en/shortcuts.js";
import { stopwatchTexts } from "./en/stopwatch.js";
import { storageTexts } from "./en/storage.js";
import { timelineTexts } from "./en/timeline.js";
import { timesheetTexts } from "./en/timesheet.js";
import { trashTexts } from "./en/trash.js";
import { welcomeTexts } from "./en/welcome.js";
export const english: {
  readonly period: typeof periodTexts;
  readonly activity: typeof activityTexts;
  readonly activityEmpty: typeof activityEmptyTexts;
  readonly access: typeof accessTexts;
  readonly bucket: typeof bucketTexts;
  readonly buckets: typeof bucketsTexts;
  readonly care: typeof careTexts;
  readonly categories: typeof categoriesTexts;
  readonly categoryNames: typeof categoryNamesTexts;
  readonly conditions: typeof conditionsTexts;
  readonly common: typeof commonTexts;
  readonly deletion: typeof deletionTexts;
  readonly devices: typeof devicesTexts;
  readonly filter: typeof filterTexts;
  readonly filtered: typeof filteredTexts;
  readonly goals: typeof goalsTexts;
  readonly notice: typeof noticeTexts;
  readonly overview: typeof overviewTexts;
  readonly pairing: typeof pairingTexts;
  readonly privacy: typeof privacyTexts;
  readonly query: typeof queryTexts;
  readonly retention: typeof retentionTexts;
  readonly rules: typeof rulesTexts;
  readonly savedViews: typeof savedViewsTexts;
  readonly search: typeof searchTexts;
  readonly server: typeof serverTexts;
  readonly settings: typeof settingsTexts;
  readonly shell: typeof shellTexts;
  readonly shortcuts: typeof shortcutsTexts;
  readonly stopwatch: typeof stopwatchTexts;
  readonly storage: typeof storageTexts;
  readonly timeline: typeof timelineTexts;
  readonly timesheet: typeof timesheetTexts;
  readonly trash: typeof trashTexts;
  readonly welcome: typeof welcomeTexts;
} = {
  period: periodTexts,
  activity: activityTexts,
  activityEmpty: activityEmptyTexts,
  access: accessTexts,
  bucket: bucketTexts,
  buckets: bucketsTexts,
  care: careTexts,
  categories: categoriesTexts,
  categoryNames: categoryNamesTexts,
  conditions: conditionsTexts,
  common: commonTexts,
  deletion: deletionTexts,
  devices: devicesTexts,
  filter: filterTexts,
  filtered: filteredTexts,
  goals: goalsTexts,
  notice: noticeTexts,
  overview: overviewTexts,
  pairing: pairingTexts,
  privacy: privacyTexts,
  query: queryTexts,
  retention: retentionTexts,
  rules: rulesTexts,
  savedViews: savedViewsTexts,
  search: searchTexts,
  server: serverTexts,
  settings: settingsTexts,
  shell: shellTexts,
  shortcuts: shortcutsTexts,
  stopwatch: stopwatchTexts,
  storage: storageTexts,
  timeline: timelineTexts,
  timesheet: timesheetTexts,
  trash: trashTexts,
  welcome: welcomeTexts,
};
