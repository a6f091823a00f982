import type { Catalogue } from "../catalogue.js";

export const activityEmpty: Catalogue["activityEmpty"] = {
  noActivity: "לא נרשמה פעילות",
  none_day: "אין זמן פעיל ביום הזה.",
  none_week: "אין זמן פעיל בשבוע הזה.",
  none_month: "אין זמן פעיל בחודש הזה.",
  none_year: "אין זמן פעיל בשנה הזאת.",
  none_range: "אין זמן פעיל בתקופה הזאת.",
  goTo: "מעבר אל {period}",
  reported: "הדיווח הראשון התקבל",
  moment: "בשעה {time}: {what}.",
  anEvent: "אירוע",
  momentWhy: "הזמן יופיע כאן אחרי הדיווח הבא של הצופה.",
  silentWhy: "למכשיר הזה אין מאגר של חלונות או של עורכי קוד. ראו {timeline} או {buckets}.",
  itsTimeline: "ציר הזמן שלו",
  allBuckets: "רשימת המאגרים",
};
