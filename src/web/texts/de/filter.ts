import type { Catalogue } from "../catalogue.js";

export const filter: Catalogue["filter"] = {
  label: "Filtern und suchen",
  placeholder: "Filter: Arbeit, app=Code …",
  keys: "Strg+K oder /",
  suggestions: "Bedingungen",
  change: "Bedingung ändern",
  everywhere: "beliebiger Text: Titel, Apps, Adressen, Dateien",
  titles: "Titel",
  apps: "Apps",
  category: "Kategorie",
  shown: "hier angezeigt",
  asTyped: "wie eingegeben",
  search: "alle Events des Jahres durchsuchen",
  noValue: "Nach = oder ~ fehlt ein Wert, etwa app=Code.",
  noCategory: "Nach category: fehlt ein Name, etwa category:Arbeit > Projekt.",
  openPattern: "Das Muster muss mit / oder /i enden, etwa title~/draft/.",
  badPattern: "Ungültiges Muster.",
  unreadable: "Ungültige Bedingung. Text mit Sonderzeichen in Anführungszeichen setzen.",
};
