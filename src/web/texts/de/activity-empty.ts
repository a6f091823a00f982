import type { Catalogue } from "../catalogue.js";

export const activityEmpty: Catalogue["activityEmpty"] = {
  noActivity: "Keine Aktivität aufgezeichnet",
  none_day: "An diesem Tag wurde keine aktive Zeit aufgezeichnet.",
  none_week: "In dieser Woche wurde keine aktive Zeit aufgezeichnet.",
  none_month: "In diesem Monat wurde keine aktive Zeit aufgezeichnet.",
  none_year: "In diesem Jahr wurde keine aktive Zeit aufgezeichnet.",
  none_range: "In diesem Zeitraum wurde keine aktive Zeit aufgezeichnet.",
  goTo: "Zu {period}",
  reported: "Die erste Meldung ist da",
  moment: "Um {time}: {what}.",
  anEvent: "ein Event",
  momentWhy:
    "Zeit zählt, sobald sie vergangen ist. Ohne Dauer braucht es einen weiteren Heartbeat innerhalb der Pulsetime.",
  silent: "Hier gibt es nichts zu summieren",
  silentWhy: "Dieser Host hat keinen Bucket für Fenster oder Editoren. Was es gibt, zeigen {timeline} und {buckets}.",
  itsTimeline: "seine Zeitachse",
  allBuckets: "alle Buckets",
};
