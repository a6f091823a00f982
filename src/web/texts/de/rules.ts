import type { Catalogue } from "../catalogue.js";

export const rules: Catalogue["rules"] = {
  rule: "Regel {number}",
  rules: "Regeln",
  enabled: "Aktiv",
  up: "Nach oben",
  upRule: "Nach oben: {rule}",
  down: "Nach unten",
  downRule: "Nach unten: {rule}",
  removeRule: "Löschen: {rule}",
  add: "Regel hinzufügen",
  buckets: "Buckets",
  bucketsHint: "Eine Bucket-ID. * passt auf beliebige Zeichen.",
};
