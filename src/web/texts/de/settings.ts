import type { Catalogue } from "../catalogue.js";

export const settings: Catalogue["settings"] = {
  intro: "Diese Einstellungen gelten für alle Browser.",
  days: "Tage und Zeiten",
  startOfDay: "Tagesbeginn",
  startOfDayHint: "Frühere Aktivität zählt zum Vortag.",
  startOfWeek: "Wochenbeginn",
  workdays: "Arbeitstage",
  workdaysHint: "In längeren Zeiträumen gelten Tagesziele an Arbeitstagen mit Aktivität.",
  timeZone: "Zeitzone",
  timeZoneHint: "Leer: die des Browsers. Zurzeit: {zone}.",
  unknownZone: "Unbekannte Zeitzone „{name}“.",
  withoutHands: "Aktivität ohne Eingaben",
  alwaysActive: "Immer aktiv",
  alwaysActiveHint: `Ein regulärer Ausdruck. Fenster mit passender App oder passendem Titel sind auch ohne Eingaben
    aktiv, etwa Besprechungen und Filme.`,
  stopwatchActive: "Stoppuhr-Einträge als aktive Zeit zählen",
  stopwatchActiveHint: "Sie füllen die Zeit, in der kein Gerät ein aktives Fenster hat.",
  look: "Darstellung",
  theme: "Design",
  auto: "System",
  light: "Hell",
  dark: "Dunkel",
  language: "Sprache",
  languageOfBrowser: "Browser ({name})",
  languageNotLoaded: "Sprache nicht geladen: {reason}",
  elsewhere: "Siehe auch",
  elsewhereText: `Regeln für Kategorien: {categories}. Watcher verbinden: {welcome}. Schlüssel und Sitzungen:
    {access}.`,
  toWelcome: "Erste Schritte",
};
