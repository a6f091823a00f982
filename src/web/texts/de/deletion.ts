import type { Catalogue } from "../catalogue.js";

export const deletion: Catalogue["deletion"] = {
  button: "Löschen …",
  title: "Gefundenes löschen?",
  allTime: "Aus dem gesamten Zeitraum, nicht nur: {period}",
  allHosts: "Von allen Hosts, nicht nur: {host}",
  nothing: "Es ist nichts gespeichert, was der Filter findet.",
  what: {
    one: "{count} Event mit einer Länge von {length}, von {first} bis {last}, wird gelöscht:",
    other: "{count} Events mit einer Länge von zusammen {length}, von {first} bis {last}, werden gelöscht:",
  },
  whatOfSeveral: {
    one: "{count} Event, von {first} bis {last}, wird gelöscht:",
    other: "{count} Events, von {first} bis {last}, werden gelöscht:",
  },
  shownTime: "Die Seite zeigt {active}: Zeit, in der jemand da war, ohne Überschneidungen.",
  unseen: {
    one: "{count} davon steht nicht in der Liste: Dabei war niemand da.",
    other: "{count} davon stehen nicht in der Liste: Dabei war niemand da.",
  },
  inBucket: { one: "{count} Event in {bucket}", other: "{count} Events in {bucket}" },
  whole: "Events, die früher beginnen oder später enden, werden ganz gelöscht.",
  confirm: { one: "Dieses Event löschen", other: "Diese {count} löschen" },
  confirmForGood: { one: "Dieses Event endgültig löschen", other: "Diese {count} endgültig löschen" },
  done: {
    one: "{count} Event wurde in den Papierkorb gelegt.",
    other: "{count} Events wurden in den Papierkorb gelegt.",
  },
  doneForGood: { one: "{count} Event wurde endgültig gelöscht.", other: "{count} Events wurden endgültig gelöscht." },
};
