import type { Catalogue } from "../catalogue.js";

export const retention: Catalogue["retention"] = {
  title: "Aufbewahrung",
  intro: "Wie lange Events bleiben und wie genau. Ohne Regel bleibt alles erhalten.",
  empty: "Es gibt keine Regeln: Nichts wird gelöscht.",
  hint: "Betreffen mehrere Regeln einen Bucket, gilt die strengste Grenze. Geschützte Buckets bleiben unberührt.",
  keepDays: "Behalten (Tage)",
  keepDaysHint: "Ältere Events werden gelöscht.",
  summarizeAfterDays: "Zusammenfassen nach (Tagen)",
  summarizeAfterDaysHint: "Ältere Events werden je Stunde und gleichen Daten zu einem.",
  dropShorterThan: "Verwerfen unter (Sekunden)",
  dropShorterThanHint: "Kürzere Events werden gelöscht, sobald sie einen Tag alt sind.",
  preview: "Vorschau",
  previewOf: "Was diese Regeln jetzt tun würden",
  nothing: "Diese Regeln würden jetzt nichts ändern.",
  noPreview: "Es gibt keine Vorschau.",
  runNow: "Jetzt ausführen …",
  saveFirst: "Zuerst die Regeln speichern: Ausgeführt wird, was gespeichert ist.",
  run: "Aufbewahrungsregeln jetzt ausführen?",
  runEffect: `Was sie löschen oder zusammenfassen, kommt nicht in den Papierkorb. Eine Sicherung vorab schadet
    nicht.`,
  doRun: "Ausführen",
  log: "Protokoll",
  logHint: `Ein laufender Server führt die Regeln stündlich aus. Hier stehen die letzten 100 Läufe, die etwas
    geändert haben.`,
  noRuns: "Noch kein Lauf hat etwas geändert.",
  expired: "Zu alt",
  short: "Zu kurz",
  summarized: "Zusammengefasst",
  summaries: "Zu",
};
