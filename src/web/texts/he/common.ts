import type { Catalogue } from "../catalogue.js";

export const common: Catalogue["common"] = {
  cancel: "ביטול",
  copied: "הועתק",
  copy: "העתקה",
  copyLabel: "העתקה: {what}",
  copyByHand: "יש להעתיק ידנית",
  couldNotDo: "הפעולה לא הצליחה.",
  empty: "(ריק)",
  loading: "בטעינה…",
  save: "שמירה",
  saved: "נשמר",
  saving: "בשמירה…",
  tryAgain: "ניסיון נוסף",
  hoursMinutes: "{hours} ש׳ {minutes} ד׳",
  minutesSeconds: "{minutes} ד׳ {seconds} שנ׳",
  seconds: "{seconds} שנ׳",
  badStatus: "השרת השיב בסטטוס {status}.",
  notThisServer: "התשובה לא הגיעה מהשרת הזה.",
  timeout: "השרת לא השיב בזמן.",
  unreachable: "השרת אינו משיב.",
};
