import type { Catalogue } from "../catalogue.js";

export const categoryNames: Catalogue["categoryNames"] = {
  work: "Arbeit",
  programming: "Programmieren",
  codeReview: "Code-Review",
  terminal: "Terminal",
  reference: "Nachschlagen",
  planning: "Planung",
  design: "Gestaltung",
  photoVideo: "Foto und Video",
  threeD: "3D",
  inspiration: "Anregungen",
  writing: "Schreiben",
  research: "Recherche",
  proofreading: "Korrektur",
  publishing: "Veröffentlichen",
  dataAnalysis: "Datenanalyse",
  literature: "Literatur",
  slides: "Folien",
  lessons: "Unterricht",
  classroom: "Lernplattform",
  grading: "Bewertung",
};
