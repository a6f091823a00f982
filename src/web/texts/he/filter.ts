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
  noValue: "אחרי = או ~ בא מה שמחפשים: app=Code.",
  noCategory: "אחרי category: בא שם: category:Work > Project.",
  openPattern: "ביטוי רגולרי מסתיים ב־/ או ב־/i: title~/draft/.",
  badPattern: "לא ניתן לקרוא את הביטוי הרגולרי הזה.",
  unreadable: "לא ניתן לקרוא את התנאי הזה. טקסט עם תווים מיוחדים כותבים במירכאות.",
};
