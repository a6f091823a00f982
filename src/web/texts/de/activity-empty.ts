import type { Catalogue } from "../catalogue.js";

export const activityEmpty: Catalogue["activityEmpty"] = {
  noActivity: "Keine Aktivität aufgezeichnet",
  none_day: "Keine aktive Zeit an diesem Tag.",
  none_week: "Keine aktive Zeit in dieser Woche.",
  none_month: "Keine aktive Zeit in diesem Monat.",
  none_year: "Keine aktive Zeit in diesem Jahr.",
  none_range: "Keine aktive Zeit in diesem Zeitraum.",
  goTo: "Zu {period}",
  reported: "Erste Meldung empfangen",
  moment: "Um {time}: {what}.",
  anEvent: "ein Event",
  momentWhy: "Die Zeit erscheint hier nach der nächsten Meldung des Watchers.",
  silentWhy: "Dieses Gerät hat keinen Bucket für Fenster oder Editoren. Siehe {timeline} oder {buckets}.",
  itsTimeline: "seine Zeitachse",
  allBuckets: "alle Buckets",
};
