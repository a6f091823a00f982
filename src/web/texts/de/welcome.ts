import type { Catalogue } from "../catalogue.js";

export const welcome: Catalogue["welcome"] = {
  empty: "Noch keine Daten",
  start: "Watcher starten",
  intro: `Watcher melden diesem Server dein aktives Fenster. Alle Watcher für ActivityWatch funktionieren. Nach der
    ersten Meldung zeigt {today} die Daten.`,
  today: "der heutige Tag",
  windows: "Fenster und Tastatur",
  windowsWhat: `Der Titel des aktiven Fensters, und ob du abwesend bist. Beide Watcher gibt es mit ActivityWatch
    oder einzeln. Mit der Adresse dieses Servers starten:`,
  install: "Watcher installieren",
  startWindow: "Fenster-Watcher starten",
  startAfk: "Afk-Watcher starten",
  belowPath: `Sie unterstützen keinen Pfad, und dieser Server liegt unter {path}. Er braucht für sie einen eigenen
    Hostnamen oder Port.`,
  plainHttp: "Sie unterstützen nur HTTP. Die Adresse hinter dem Proxy verwenden.",
  browser: "Browser",
  browserHere: `Die Erweiterung „ActivityWatch Web Watcher“ aus dem Store des Browsers meldet die aktuelle Seite.
    Sie sendet immer an {address}, diesen Server, und braucht keine Einrichtung.`,
  browserElsewhere: `Die Erweiterung „ActivityWatch Web Watcher“ aus dem Store des Browsers meldet die aktuelle
    Seite. Sie sendet immer an {address}, dieser Server hat aber eine andere Adresse:`,
  usualPort: "Auf dem Standardport starten",
  editors: "Editoren",
  editorsHere: `Plugins namens „aw-watcher-…“ (Visual Studio Code, JetBrains, Vim, Emacs) melden Datei, Projekt und
    Sprache. Sie senden an {address}, diesen Server.`,
  editorsElsewhere: `Plugins namens „aw-watcher-…“ (Visual Studio Code, JetBrains, Vim, Emacs) melden Datei, Projekt
    und Sprache. Sie senden an {address}, sofern nicht anders eingestellt:`,
  editorAddress: "Adresse für die Editoren",
  own: "Eigene Watcher",
  ownWhat: `Jede App, die HTTP sendet, kann melden. Erst einen Bucket anlegen, dann Heartbeats senden, hier einen
    von einer Minute:`,
  key: "{key} durch einen API-Schlüssel dieses Servers ersetzen.",
  createBucket: "Bucket anlegen",
  sendHeartbeat: "Heartbeat senden",
  allCalls: "Die ganze API ausprobieren",
  stores: "Es gibt sie für {firefox} und {chrome}.",
  waiting: "wartet auf die erste Meldung",
  reports: "meldet gerade",
  silent: "letzte Meldung {age}",
  phone: "Handy",
  phoneConnect: `{devices} zeigt die Adresse dieses Servers als QR-Code, und wie andere Geräte ihn erreichen.`,
  phoneImport: `ActivityWatch für Android behält seine Daten auf dem Handy. Dort alle Buckets exportieren und die Datei
    unter {data} importieren.`,
  import: "Aus ActivityWatch importieren",
  importWhat: `Auf diesem Computer liegen Daten von ActivityWatch. Der Server liest sie erst beim Import. Der Import
    kopiert Buckets, Ereignisse und Einstellungen. Das Original bleibt unverändert.`,
  importFacts: "{size}, zuletzt geschrieben {when}",
  importInUse:
    "ActivityWatch läuft anscheinend. Erst beenden, sonst fehlt vielleicht ein Teil der neuesten Ereignisse.",
  importNow: "Importieren",
  importAgain: "Erneut importieren",
  importAgainHint: "Ein Import lässt sich wiederholen. Vorhandene Ereignisse überspringt er.",
  importProgress: "Fortschritt des Imports",
  importReading: "Wird gelesen …",
  importRunning: "{done} von {total} Ereignissen",
  importDone: "Importierte Ereignisse: {imported}. Schon vorhanden: {known}.",
  importLost: "Einige Daten waren nicht lesbar: {command}",
  importFailed: "Der Import ist fehlgeschlagen.",
  demo: "Mit Demodaten umsehen",
  demoWhat: `Ein Gerät namens {host} mit zwei Wochen Arbeit: Fenster, Seiten, Dateien und Pausen. Eigene Buckets
    bleiben unverändert, und es lässt sich jederzeit entfernen.`,
  demoFailed: "Demodaten nicht geändert.",
  demoRemoved: "Demodaten entfernt",
  removeDemo: "Demodaten entfernen",
  fillDemo: "Demodaten hinzufügen",
  demoProgress: "Fortschritt",
};
