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
  shown: "hier zu sehen",
  asTyped: "wie eingegeben",
  search: "alle Events des Jahres durchsuchen",
  noValue: "Hinter = oder ~ steht das Gesuchte: app=Code.",
  noCategory: "Hinter category: steht ein Name: category:Arbeit > Projekt.",
  openPattern: "Ein Muster endet mit / oder /i: title~/draft/.",
  badPattern: "Dieses Muster ist nicht lesbar.",
  unreadable: "Diese Bedingung ist nicht lesbar. Text mit Sonderzeichen gehört in Anführungszeichen.",
};
