import type { Catalogue } from "../catalogue.js";

export const goals: Catalogue["goals"] = {
  title: "יעדים ומגבלות",
  hint: "לכל הזמן הפעיל. יעדים לקטגוריה נמצאים מתחת לכלל שלה. שינויים נשמרים מיד.",
  goal: "יעד בשעות",
  limit: "מגבלה בשעות",
  goalPer: "יעד לכל",
  limitPer: "מגבלה לכל",
  outOfRange: "יש להזין שעות מ־0 עד {most}.",
  unsupported: "הדפדפן הזה אינו תומך בהתראות.",
  blocked: "ההתראות חסומות בהגדרות הדפדפן.",
  on: "כל עוד לוח הבקרה פתוח, הדפדפן הזה מתריע על חריגה ממגבלה.",
  turnOff: "כיבוי",
  turnOn: "התראה על חריגה ממגבלה",
  passed: "{name}: חריגה מהמגבלה",
  passedBy: "{time} מתוך {limit}",
};
