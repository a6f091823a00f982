import type { Catalogue } from "../catalogue.js";

export const savedViews: Catalogue["savedViews"] = {
  list: "תצוגות שמורות",
  none: "עדיין לא נשמרה תצוגה.",
  name: "שם התצוגה הזאת",
  rename: "שינוי השם של {name}",
  newName: "שם חדש עבור {name}",
  delete: "מחיקת {name}",
  moves: "התקופה מתקדמת יחד עם היום הנוכחי",
  hint: "כולל המחשב, הסינון וכל מה שמופיע בכתובת.",
  notSaved: "לא נשמר.",
};
