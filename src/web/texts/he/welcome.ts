import type { Catalogue } from "../catalogue.js";

export const welcome: Catalogue["welcome"] = {
  empty: "עדיין אין נתונים",
  start: "הפעלת צופה",
  intro: `צופים מדווחים לשרת הזה מה נמצא בחזית המסך. השרת דובר את הממשק של ActivityWatch, ולכן כל צופה שנכתב עבורו
    מדווח גם לכאן. ברגע שיגיע דיווח, {today} יתמלא.`,
  today: "היום הנוכחי",
  windows: "חלון ומקלדת",
  windowsWhat: `כותרת החלון הפעיל, והאם מישהו ליד המחשב. שני הצופים מגיעים עם ActivityWatch או בנפרד; יש להפעיל אותם
    עם הכתובת של השרת הזה:`,
  install: "התקנת הצופים",
  startWindow: "הפעלת צופה החלונות",
  startAfk: "הפעלת צופה הנוכחות",
  belowPath: `הם מכירים מארח ופורט אך לא נתיב, והשרת הזה נמצא תחת {path}: יש להקצות לו עבורם מארח או פורט משלו.`,
  plainHttp: "הם דוברים HTTP לא מוצפן בלבד, ולכן יש לתת להם את הכתובת שמאחורי הפרוקסי.",
  browser: "דפדפן",
  browserHere: `ההרחבה ”ActivityWatch Web Watcher” מחנות ההרחבות של הדפדפן מדווחת איזה דף פתוח. היא מדווחת תמיד אל
    {address}, שהוא השרת הזה: אין צורך להגדיר דבר.`,
  browserElsewhere: `ההרחבה ”ActivityWatch Web Watcher” מחנות ההרחבות של הדפדפן מדווחת איזה דף פתוח. היא מדווחת תמיד
    אל {address}; השרת הזה מאזין במקום אחר:`,
  usualPort: "הפעלה בפורט הרגיל",
  editors: "עורכי קוד",
  editorsHere: `תוספים בשם ”\u2066aw-watcher-…\u2069” (\u2066Visual Studio Code, JetBrains, Vim, Emacs\u2069)
    מדווחים על קובץ, פרויקט ושפה. הם מדווחים אל {address}, השרת הזה.`,
  editorsElsewhere: `תוספים בשם ”\u2066aw-watcher-…\u2069” (\u2066Visual Studio Code, JetBrains, Vim, Emacs\u2069)
    מדווחים על קובץ, פרויקט ושפה. הם מדווחים אל {address}, אלא אם הוגדרה בהם כתובת אחרת:`,
  editorAddress: "הכתובת להגדרות של עורכי הקוד",
  own: "צופה משלך",
  ownWhat: "כל מה שיכול לשלוח HTTP יכול לדווח. קודם מאגר, ואז פעימה (heartbeat), כאן באורך של דקה:",
  key: "{key} מציין את מפתח ה־API של השרת, שיש לצרף לכל קריאה.",
  createBucket: "יצירת מאגר",
  sendHeartbeat: "שליחת פעימה",
  allCalls: "כל הקריאות, להתנסות",
  demo: "היכרות עם נתונים לדוגמה",
  demoWhat: `מחשב בשם {host} עם שבועיים של עבודה: חלונות, דפים, קבצים והפסקות. המאגרים שלך נשארים כפי שהם, ואפשר להסיר
    אותו בכל עת.`,
  demoFailed: "לא ניתן לשנות את הדוגמה.",
  demoRemoved: "מחשב הדוגמה הוסר.",
  removeDemo: "הסרת מחשב הדוגמה",
  fillDemo: "יצירת מחשב לדוגמה",
  demoProgress: "התקדמות הדוגמה",
};
