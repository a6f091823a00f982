import type { Catalogue } from "../catalogue.js";

export const activityEmpty: Catalogue["activityEmpty"] = {
  noActivity: "לא נרשמה פעילות",
  none_day: "לא נרשם זמן פעיל ביום הזה.",
  none_week: "לא נרשם זמן פעיל בשבוע הזה.",
  none_month: "לא נרשם זמן פעיל בחודש הזה.",
  none_year: "לא נרשם זמן פעיל בשנה הזאת.",
  none_range: "לא נרשם זמן פעיל בתקופה הזאת.",
  goTo: "מעבר אל {period}",
  reported: "הדיווח הראשון הגיע",
  moment: "בשעה {time}: {what}.",
  anEvent: "אירוע",
  momentWhy: "זמן נספר אחרי שחלף. בלי משך נדרשת פעימה (heartbeat) נוספת בתוך ה־pulsetime.",
  silent: "אין כאן מה לסכם",
  silentWhy: "למחשב הזה אין מאגר של חלונות או של עורכי קוד. אפשר לראות מה יש ב{timeline} וב{buckets}.",
  itsTimeline: "ציר הזמן שלו",
  allBuckets: "רשימת המאגרים",
};
