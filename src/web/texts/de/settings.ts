import type { Catalogue } from "../catalogue.js";

export const settings: Catalogue["settings"] = {
  title: "Einstellungen",
  intro: "Der Server speichert diese Einstellungen für jeden Browser, der diese Seite öffnet.",
  notRead: "Die Einstellungen konnten nicht geladen werden.",
  days: "Tage und Zeiten",
  startOfDay: "Tagesbeginn",
  startOfDayHint: "Was du nach Mitternacht tust, zählt noch zum Abend davor.",
  startOfWeek: "Wochenbeginn",
  monday: "Montag",
  sunday: "Sonntag",
  timeZone: "Zeitzone",
  timeZoneHint: "Leer lassen für die des Browsers. Zurzeit: {zone}.",
  unknownZone: "Dieser Browser kennt die Zeitzone „{name}“ nicht.",
  withoutHands: "Aktivität ohne Eingaben",
  alwaysActive: "Immer aktiv",
  alwaysActiveHint: `Ein regulärer Ausdruck. Ein Fenster, dessen App oder Titel passt, zählt auch ohne Tastatur und Maus
    als aktiv, zum Beispiel bei Besprechungen und Filmen.`,
  look: "Darstellung",
  colours: "Farben",
  auto: "Wie das System",
  light: "Hell",
  dark: "Dunkel",
  language: "Sprache",
  languageOfBrowser: "Wie der Browser ({name})",
  languageNotLoaded: "Die Texte dieser Sprache konnten nicht geladen werden: {reason}",
  elsewhere: "Siehe auch",
  elsewhereText:
    "Regeln, die deine Zeit sortieren: {categories}. Watcher verbinden: {welcome}. Schlüssel und Sitzungen: {access}.",
  toCategories: "Kategorien",
  toWelcome: "Erste Schritte",
  toAccess: "Zugang",
};
