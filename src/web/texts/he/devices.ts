import type { Catalogue } from "../catalogue.js";

export const devices: Catalogue["devices"] = {
  intro: "המכשירים שמדווחים לשרת הזה, והצופים שלהם.",
  none: "אף מכשיר לא דיווח עדיין.",
  watcher: "צופה",
  lastReport: "דיווח אחרון",
  state_now: "מדווח כעת",
  state_recent: "שקט כעת",
  state_silent: "שקט יותר מיום",
  state_empty: "אין עדיין אירועים",
  phone: "חיבור טלפון או מחשב נוסף",
  phoneHow: "סרקו את הקוד בטלפון, או הזינו את הכתובת בהגדרות הצופה שלו.",
  address: "כתובת השרת הזה",
  local: `מכשירים אחרים אינם יכולים להגיע לכתובת הזו. הפעילו את השרת עם {option}, ופתחו את לוח הבקרה לפי שם
    המחשב או כתובת ה־IP שלו.`,
  notAnAddress: "הזינו כתובת כמו {example}.",
  code: "קוד QR של {address}",
  pairing: "מכשיר שזקוק למפתח יכול לבקש אותו. הבקשה מופיעה אז בראש כל תצוגה: {access}.",
};
