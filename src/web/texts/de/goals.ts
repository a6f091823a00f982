import type { Catalogue } from "../catalogue.js";

export const goals: Catalogue["goals"] = {
  title: "Ziele und Limits",
  hint: "Hier für die gesamte aktive Zeit; die einer Kategorie stehen unter deren Regel. Sofort gespeichert.",
  goal: "Ziel in Stunden",
  limit: "Limit in Stunden",
  goalPer: "Ziel pro",
  limitPer: "Limit pro",
  day: "Tag",
  week: "Woche",
  outOfRange: "Stunden von 0 bis {most} eingeben.",
  unsupported: "Dieser Browser kann nicht melden, wenn ein Limit überschritten ist.",
  blocked: "Benachrichtigungen dieser Seite sind in den Einstellungen des Browsers blockiert.",
  on: "Dieser Browser meldet, wenn ein Limit überschritten ist, solange das Dashboard geöffnet ist.",
  turnOff: "Ausschalten",
  turnOn: "Melden, wenn ein Limit überschritten ist",
  activeTime: "Aktive Zeit",
  passed: "{name}: Limit überschritten",
  passedBy: "{time} von {limit}",
};
