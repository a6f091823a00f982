import type { Catalogue } from "../catalogue.js";

export const goals: Catalogue["goals"] = {
  title: "Ziele und Limits",
  hint: `Für die gesamte aktive Zeit. Ziele einer Kategorie stehen unter ihrer Regel. Änderungen werden sofort
    gespeichert.`,
  goal: "Ziel in Stunden",
  limit: "Limit in Stunden",
  goalPer: "Ziel pro",
  limitPer: "Limit pro",
  outOfRange: "Stunden von 0 bis {most} eingeben.",
  unsupported: "Dieser Browser kann keine Benachrichtigungen.",
  blocked: "Benachrichtigungen sind im Browser blockiert.",
  on: "Solange das Dashboard offen ist, meldet dieser Browser überschrittene Limits.",
  turnOff: "Ausschalten",
  turnOn: "Überschrittene Limits melden",
  passed: "{name}: Limit überschritten",
  passedBy: "{time} von {limit}",
};
