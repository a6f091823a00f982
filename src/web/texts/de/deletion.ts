import type { Catalogue } from "../catalogue.js";

export const deletion: Catalogue["deletion"] = {
  title: "Passende Events löschen?",
  titleOfTime: "Events dieses Zeitraums löschen?",
  allTime: "Gesamter Zeitraum, nicht nur: {period}",
  allHosts: "Alle Geräte, nicht nur: {host}",
  nothing: "Keine gespeicherten Events passen zum Filter.",
  nothingInTime: "In diesem Zeitraum liegt kein Event.",
  what: {
    one: "{count} Event ({length}) von {first} bis {last} wird gelöscht:",
    other: "{count} Events (zusammen {length}) von {first} bis {last} werden gelöscht:",
  },
  whatOfSeveral: {
    one: "{count} Event von {first} bis {last} wird gelöscht:",
    other: "{count} Events von {first} bis {last} werden gelöscht:",
  },
  shownTime: "Die Liste zeigt {active} aktive Zeit, ohne Überschneidungen.",
  unseen: {
    one: "{count} davon fehlt in der Liste, weil du abwesend warst.",
    other: "{count} davon fehlen in der Liste, weil du abwesend warst.",
  },
  inBucket: {
    one: "{count} Event in {bucket}",
    other: "{count} Events in {bucket}",
  },
  whole: "Events, die früher beginnen oder später enden, werden ganz gelöscht.",
  confirm: {
    one: "Event löschen",
    other: "{count} Events löschen",
  },
  confirmForGood: {
    one: "Event endgültig löschen",
    other: "{count} Events endgültig löschen",
  },
  done: {
    one: "{count} Event in den Papierkorb verschoben",
    other: "{count} Events in den Papierkorb verschoben",
  },
  doneForGood: {
    one: "{count} Event endgültig gelöscht",
    other: "{count} Events endgültig gelöscht",
  },
};
