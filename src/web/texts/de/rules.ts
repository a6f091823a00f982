import type { Catalogue } from "../catalogue.js";

export const rules: Catalogue["rules"] = {
  rule: "Regel {number}",
  rules: "Regeln",
  enabled: "Aktiv",
  up: "Nach oben",
  upRule: "Nach oben: {rule}",
  down: "Nach unten",
  downRule: "Nach unten: {rule}",
  remove: "Löschen",
  removeRule: "Löschen: {rule}",
  add: "Regel hinzufügen",
  discard: "Änderungen verwerfen",
  notSaved: "Noch nicht gespeichert.",
  saved: "Gespeichert.",
  nothingSaved: "Es wurde nichts gespeichert.",
  overtaken: "Die Regeln wurden inzwischen an anderer Stelle geändert.",
  take: "Diese übernehmen, eigene verwerfen",
  overwrite: "Mit eigenen überschreiben",
  buckets: "Buckets",
  bucketsHint: "Eine Bucket-ID; * steht für beliebigen Text.",
  unreadable: "Die Einstellungen konnten nicht gelesen werden.",
};
