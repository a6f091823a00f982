import type { Catalogue } from "../catalogue.js";

export const rules: Catalogue["rules"] = {
  rule: "כלל {number}",
  rules: "כללים",
  enabled: "פעיל",
  up: "העברה למעלה",
  upRule: "העברה למעלה: {rule}",
  down: "העברה למטה",
  downRule: "העברה למטה: {rule}",
  remove: "מחיקה",
  removeRule: "מחיקה: {rule}",
  add: "הוספת כלל",
  discard: "ביטול השינויים",
  notSaved: "עדיין לא נשמר.",
  saved: "נשמר.",
  nothingSaved: "דבר לא נשמר.",
  overtaken: "הכללים שונו בינתיים במקום אחר.",
  take: "אימוץ הכללים ההם וויתור על שלי",
  overwrite: "החלפה בכללים שלי",
  buckets: "מאגרים",
  bucketsHint: "מזהה של מאגר; ‎* במקום טקסט כלשהו.",
  unreadable: "לא ניתן לקרוא את ההגדרות.",
};
