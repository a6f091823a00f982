import type { Catalogue } from "../catalogue.js";

export const rules: Catalogue["rules"] = {
  rule: "כלל {number}",
  rules: "כללים",
  enabled: "פעיל",
  up: "העברה למעלה",
  upRule: "העברה למעלה: {rule}",
  down: "העברה למטה",
  downRule: "העברה למטה: {rule}",
  removeRule: "מחיקה: {rule}",
  add: "הוספת כלל",
  buckets: "מאגרים",
  bucketsHint: "מזהה של מאגר. ‎* מתאים לכל התווים.",
};
