import type { Catalogue } from "../catalogue.js";

export const notice: Catalogue["notice"] = {
  undone: "הפעולה בוטלה",
};
