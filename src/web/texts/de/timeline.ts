import type { Catalogue } from "../catalogue.js";

export const timeline: Catalogue["timeline"] = {
  noBuckets: "Noch keine Buckets.",
  startWatcher: "Watcher starten",
  allHidden: "Alle Spuren sind ausgeblendet.",
  help: "Hilfe zur Bedienung",
  keys: `Ziehen oder Umschalt+Mausrad bewegt durch die Zeit. Strg+Mausrad oder zwei Finger zoomen, nach einem Klick
    in die Spuren auch das Mausrad. Ein Klick wählt ein Event aus. Um Zeit zu benennen, ziehe in den Spuren für
    Fenster, Anwesenheit oder Stoppuhr über eine Lücke oder eine Abwesenheit, oder klicke auf die Lücke. Ziehen an der
    Zeitachse bewegt immer. Tasten: ← → bewegen, + − zoomen, Pos1 und Ende springen zum ersten und letzten Event,
    ↑ ↓ wählen eine Spur, Eingabe das Event oder die Lücke in der Mitte. In Spalten mit vielen Events zeigt die Höhe
    deren Zeitanteil. Blasse Events passen nicht zum Filter.`,
  earlier: "Früher",
  later: "Später",
  zoomOut: "Verkleinern",
  zoomIn: "Vergrößern",
  colorBy: "Farbe nach",
  byCategory: "Kategorie",
  byKind: "App oder Status",
  allHosts: "Alle Geräte zeigen",
  hour: "Stunde",
  day: "Tag",
  week: "Woche",
  month: "Monat",
  year: "Jahr",
  lanes: "Spuren: {shown} von {all}",
  hideAll: "Alle ausblenden",
  windows: "Fenster",
  presence: "Anwesenheit",
  web: "Web",
  editor: "Editor",
  present: "Aktiv",
  away: "Abwesend",
  chosen: "Ausgewähltes Event",
  open: "Im Bucket öffnen",
  zoomTo: "Darauf zoomen",
  noData: "Keine Daten",
  selectHint: `Ein Klick auf ein Event zeigt es, mit Möglichkeiten zur Korrektur. Um Zeit nachzutragen, ziehe über
    eine Lücke oder eine Abwesenheit.`,
  labelTime: "Was hast du gemacht?",
  selectedTime: "Ausgewählte Zeit",
  folded: "keine Events, Spuren zeigen",
  stopwatch: "Stoppuhr",
  bin: {
    one: "{count} Event, {covered} von {length}; überwiegend:",
    other: "{count} Events, {covered} von {length}; überwiegend:",
  },
  region: "Events von {lane} auf {host}",
  table: "Sichtbare Events als Tabelle",
  caption: "Sichtbare Events von {lane}, neueste zuerst",
  what: "Event",
  nothingInSight: "Keine sichtbaren Events.",
  inSight: {
    one: "{count} sichtbares Event:",
    other: "{count} sichtbare Events:",
  },
  newestInSight: {
    one: "{count} sichtbares Event, davon die neuesten {listed}:",
    other: "{count} sichtbare Events, davon die neuesten {listed}:",
  },
};
