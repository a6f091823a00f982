import type { Catalogue } from "../catalogue.js";

export const notice: Catalogue["notice"] = {
  undo: "Rückgängig",
  undone: "Rückgängig gemacht.",
  close: "Schließen",
  notUndone: "Das ließ sich nicht rückgängig machen.",
};
