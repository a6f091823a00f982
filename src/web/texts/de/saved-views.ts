import type { Catalogue } from "../catalogue.js";

export const savedViews: Catalogue["savedViews"] = {
  list: "Gespeicherte Ansichten",
  none: "Noch keine Ansicht gespeichert.",
  name: "Name dieser Ansicht",
  rename: "{name} umbenennen",
  newName: "Neuer Name für {name}",
  delete: "{name} löschen",
  moves: "Der Zeitraum wandert mit dem heutigen Tag",
  hint: "Mit Host, Filter und allem, was in der Adresse steht.",
  notSaved: "Nicht gespeichert.",
};
