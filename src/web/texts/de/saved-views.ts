import type { Catalogue } from "../catalogue.js";

export const savedViews: Catalogue["savedViews"] = {
  list: "Gespeicherte Ansichten",
  none: "Noch keine gespeicherten Ansichten.",
  name: "Name der Ansicht",
  rename: "{name} umbenennen",
  newName: "Neuer Name für {name}",
  delete: "{name} löschen",
  moves: "Immer den aktuellen Zeitraum zeigen",
  hint: "Mit Gerät, Filter und allen anderen Einstellungen.",
};
