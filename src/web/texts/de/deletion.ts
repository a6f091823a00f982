import type { Catalogue } from "../catalogue.js";

export const deletion: Catalogue["deletion"] = {
  button: "Löschen …",
  title: "Gefundenes löschen?",
  nothing: "In dieser Zeit ist nichts gespeichert, was der Filter findet.",
  what: {
    one: "{count} Ereignis mit einer Länge von {length}, von {first} bis {last}, wird gelöscht:",
    other: "{count} Ereignisse mit einer Länge von {length}, von {first} bis {last}, werden gelöscht:",
  },
  inBucket: { one: "{count} Ereignis in {bucket}", other: "{count} Ereignisse in {bucket}" },
  whole: "Ereignisse, die über ein Ende der Zeit hinausreichen, werden ganz gelöscht.",
  kept: "Sie bleiben im Papierkorb und lassen sich von dort wiederherstellen.",
  confirm: { one: "Dieses Ereignis löschen", other: "Diese {count} löschen" },
  done: { one: "{count} Ereignis wurde gelöscht.", other: "{count} Ereignisse wurden gelöscht." },
};
