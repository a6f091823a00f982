import type { Catalogue } from "../catalogue.js";

export const savedViews: Catalogue["savedViews"] = {
  list: "תצוגות שמורות",
  none: "אין עדיין תצוגות שמורות.",
  name: "שם התצוגה",
  rename: "שינוי השם של {name}",
  newName: "שם חדש עבור {name}",
  delete: "מחיקת {name}",
  moves: "להציג תמיד את התקופה הנוכחית",
  hint: "כולל המכשיר, הסינון ושאר הבחירות.",
};
