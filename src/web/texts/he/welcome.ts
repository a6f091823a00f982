import type { Catalogue } from "../catalogue.js";

export const welcome: Catalogue["welcome"] = {
  empty: "עדיין אין נתונים",
  start: "הפעלת צופה",
  intro: `צופים מדווחים לשרת הזה על החלון הפעיל. כל הצופים של ActivityWatch מתאימים. אחרי הדיווח הראשון {today} מציג
    את הנתונים.`,
  today: "היום הנוכחי",
  windows: "חלון ומקלדת",
  windowsWhat: `כותרת החלון הפעיל, והאם נמצאים ליד המכשיר. שני הצופים מגיעים עם ActivityWatch או בנפרד. יש להפעיל
    אותם עם הכתובת של השרת הזה:`,
  install: "התקנת הצופים",
  startWindow: "הפעלת צופה החלונות",
  startAfk: "הפעלת צופה הנוכחות",
  belowPath: "הם אינם תומכים בנתיבים, והשרת הזה נמצא תחת {path}. יש להקצות לו עבורם שם מארח או פורט משלו.",
  plainHttp: "הם תומכים רק ב־HTTP. יש להשתמש בכתובת שמאחורי הפרוקסי.",
  browser: "דפדפן",
  browserHere: `ההרחבה ”ActivityWatch Web Watcher” מחנות ההרחבות של הדפדפן מדווחת על הדף הנוכחי. היא מדווחת תמיד אל
    {address}, השרת הזה, ואין צורך להגדיר דבר.`,
  browserElsewhere: `ההרחבה ”ActivityWatch Web Watcher” מחנות ההרחבות של הדפדפן מדווחת על הדף הנוכחי. היא מדווחת
    תמיד אל {address}, אך לשרת הזה כתובת אחרת:`,
  usualPort: "הפעלה בפורט הרגיל",
  editors: "עורכי קוד",
  editorsHere: `תוספים בשם ”⁦aw-watcher-…⁩” (⁦Visual Studio Code, JetBrains, Vim, Emacs⁩)
    מדווחים על קובץ,
    פרויקט ושפה. הם מדווחים אל {address}, השרת הזה.`,
  editorsElsewhere: `תוספים בשם ”⁦aw-watcher-…⁩” (⁦Visual Studio Code, JetBrains, Vim, Emacs⁩)
    מדווחים על קובץ,
    פרויקט ושפה. הם מדווחים אל {address}, אלא אם הוגדרה בהם כתובת אחרת:`,
  editorAddress: "הכתובת להגדרות של עורכי הקוד",
  own: "צופה משלך",
  ownWhat: "כל תוכנה ששולחת HTTP יכולה לדווח. קודם יוצרים מאגר, ואז שולחים פעימות (heartbeats), כאן באורך של דקה:",
  key: "יש להחליף את {key} במפתח API של השרת.",
  createBucket: "יצירת מאגר",
  sendHeartbeat: "שליחת פעימה",
  allCalls: "כל הקריאות, להתנסות",
  stores: "היא זמינה עבור {firefox} ו־{chrome}.",
  waiting: "ממתין לדיווח הראשון",
  reports: "מדווח כעת",
  silent: "דיווח אחרון {age}",
  phone: "טלפון",
  phoneConnect: "תצוגת {devices} מראה את כתובת השרת כקוד QR, ואיך לאפשר למכשירים אחרים להגיע אליו.",
  phoneImport: `ActivityWatch ל־Android שומר את הנתונים בטלפון. מייצאים שם את כל המאגרים, ומייבאים את הקובץ
    בתצוגת {data}.`,
  import: "ייבוא מ־ActivityWatch",
  importWhat: `במחשב הזה יש נתונים של ActivityWatch. השרת קורא אותם רק בזמן הייבוא. הייבוא מעתיק מאגרים, אירועים
    והגדרות, ולא משנה את המקור.`,
  importFacts: "{size}, נכתב לאחרונה {when}",
  importInUse: "נראה ש־ActivityWatch פועל. כדאי לסגור אותו קודם, אחרת האירועים האחרונים עלולים להיות חלקיים.",
  importNow: "ייבוא",
  importAgain: "ייבוא חוזר",
  importAgainHint: "אפשר לחזור על הייבוא. הוא מדלג על אירועים שכבר קיימים.",
  importProgress: "התקדמות הייבוא",
  importReading: "בקריאה…",
  importRunning: "{done} מתוך {total} אירועים",
  importDone: "אירועים שיובאו: {imported}. כבר היו כאן: {known}.",
  importLost: "חלק מהנתונים לא היו קריאים: {command}",
  importFailed: "הייבוא נכשל.",
  demo: "היכרות עם נתוני הדגמה",
  demoWhat: `מכשיר בשם {host} עם שבועיים של עבודה: חלונות, דפים, קבצים והפסקות. המאגרים שלך לא משתנים, ואפשר להסיר
    אותו בכל עת.`,
  demoFailed: "נתוני ההדגמה לא שונו.",
  demoRemoved: "נתוני ההדגמה הוסרו",
  removeDemo: "הסרת נתוני ההדגמה",
  fillDemo: "הוספת נתוני הדגמה",
  demoProgress: "התקדמות",
};
