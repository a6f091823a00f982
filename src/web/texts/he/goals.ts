import type { Catalogue } from "../catalogue.js";

export const goals: Catalogue["goals"] = {
  title: "יעדים ומגבלות",
  hint: "כאן לכל זמן הפעילות; אלה של קטגוריה נמצאים מתחת לכלל שלה. הם נשמרים מיד.",
  goal: "יעד בשעות",
  limit: "מגבלה בשעות",
  goalPer: "יעד לכל",
  limitPer: "מגבלה לכל",
  day: "יום",
  week: "שבוע",
  outOfRange: "יש להזין שעות מ־0 עד {most}.",
  unsupported: "הדפדפן הזה אינו יכול להודיע על חריגה ממגבלה.",
  blocked: "ההתראות של הדף הזה חסומות בהגדרות הדפדפן.",
  on: "הדפדפן הזה מודיע על חריגה ממגבלה כל עוד לוח הבקרה פתוח.",
  turnOff: "הפסקה",
  turnOn: "להודיע לי על חריגה ממגבלה",
  activeTime: "זמן פעילות",
  passed: "{name}: חריגה מהמגבלה",
  passedBy: "{time} מתוך {limit}",
};
