import type { Catalogue } from "../catalogue.js";

export const filter: Catalogue["filter"] = {
  label: "סינון וחיפוש",
  placeholder: "סינון: תזה, app=Code …",
  keys: "Ctrl+K או /",
  suggestions: "תנאים",
  change: "שינוי התנאי",
  everywhere: "כל טקסט: כותרות, יישומים, כתובות, קבצים",
  titles: "כותרות",
  apps: "יישומים",
  category: "קטגוריה",
  shown: "מוצג כאן",
  asTyped: "כפי שהוקלד",
  search: "חיפוש בכל אירועי השנה",
  noValue: "אחרי = או ~ חסר ערך, למשל app=Code.",
  noCategory: "אחרי category: חסר שם, למשל category:Work > Project.",
  openPattern: "תבנית מסתיימת ב־/ או ב־/i, למשל title~/draft/.",
  badPattern: "תבנית לא תקינה.",
  unreadable: "תנאי לא תקין. טקסט עם תווים מיוחדים כותבים במירכאות.",
};
