import type { Catalogue } from "../catalogue.js";

export const trash: Catalogue["trash"] = {
  intro: "Gelöschtes bleibt hier, bis es abläuft. Es belegt weiter Speicherplatz.",
  empty: "Der Papierkorb ist leer.",
  emptyNow: "Papierkorb leeren …",
  emptyAll: "Papierkorb leeren?",
  restore: "Wiederherstellen",
  restoreOf: "{name} wiederherstellen",
  merge: "In den vorhandenen Bucket wiederherstellen",
  remove: "Endgültig löschen …",
  removeOne: "Endgültig löschen?",
  removeAction: "Endgültig löschen",
  removeOf: "Endgültig löschen: {name}",
  forGood: "Wiederherstellen ist nicht möglich. Frühere Backups enthalten es weiterhin.",
  pastTrash: "Endgültig löschen",
  keptInTrash: "Gelöschtes bleibt im Papierkorb, normalerweise 30 Tage.",
  list: "Einträge",
  sum: {
    one: "{count} Eintrag, {bytes}",
    other: "{count} Einträge, {bytes}",
  },
  restored: {
    one: "{count} Event in {ids} wiederhergestellt",
    other: "{count} Events in {ids} wiederhergestellt",
  },
  removed: "Endgültig gelöscht",
  size: "Größe",
  deleted: "Gelöscht",
  reason: "Grund",
  bucketDeleted: "Bucket gelöscht",
};
