import type { Catalogue } from "../catalogue.js";

export const notice: Catalogue["notice"] = {
  undo: "ביטול הפעולה",
  undone: "הפעולה בוטלה.",
  close: "סגירה",
  notUndone: "לא ניתן לבטל את הפעולה.",
};
