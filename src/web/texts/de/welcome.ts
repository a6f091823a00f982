import type { Catalogue } from "../catalogue.js";

export const welcome: Catalogue["welcome"] = {
  empty: "Noch keine Daten",
  start: "Watcher starten",
  intro: `Watcher melden diesem Server, was auf einem Computer im Vordergrund ist. Er spricht die Schnittstelle von
    ActivityWatch, daher funktioniert jeder Watcher dafür auch hier. Sobald einer meldet, füllt sich {today}.`,
  today: "der heutige Tag",
  windows: "Fenster und Tastatur",
  windowsWhat: `Der Titel des aktiven Fensters, und ob jemand am Computer ist. Beide Watcher gibt es mit ActivityWatch
    oder einzeln; sie werden mit der Adresse dieses Servers gestartet:`,
  install: "Watcher installieren",
  startWindow: "Fenster-Watcher starten",
  startAfk: "Afk-Watcher starten",
  belowPath: `Sie kennen Host und Port, aber keinen Pfad, und dieser Server liegt unter {path}: Er braucht für sie einen
    eigenen Host oder Port.`,
  plainHttp: "Sie sprechen nur unverschlüsseltes HTTP und brauchen die Adresse hinter dem Proxy.",
  browser: "Browser",
  browserHere: `Die Erweiterung „ActivityWatch Web Watcher“ aus dem Store des Browsers meldet, welche Seite offen ist.
    Sie sendet immer an {address}, also an diesen Server: Es ist nichts einzurichten.`,
  browserElsewhere: `Die Erweiterung „ActivityWatch Web Watcher“ aus dem Store des Browsers meldet, welche Seite offen
    ist. Sie sendet immer an {address}; dieser Server hat eine andere Adresse:`,
  usualPort: "Auf dem üblichen Port starten",
  editors: "Editoren",
  editorsHere: `Plugins namens „aw-watcher-…“ (Visual Studio Code, JetBrains, Vim, Emacs) melden Datei, Projekt und
    Sprache. Sie senden an {address}, also an diesen Server.`,
  editorsElsewhere: `Plugins namens „aw-watcher-…“ (Visual Studio Code, JetBrains, Vim, Emacs) melden Datei, Projekt und
    Sprache. Sie senden an {address}, wenn ihre Einstellungen keine andere Adresse nennen:`,
  editorAddress: "Adresse für die Einstellungen der Editoren",
  own: "Eigene Watcher",
  ownWhat: "Alles, was HTTP senden kann, kann melden. Erst ein Bucket, dann ein Heartbeat, hier von einer Minute:",
  key: "{key} steht für den API-Schlüssel dieses Servers, den jeder Aufruf mitsenden muss.",
  createBucket: "Bucket anlegen",
  sendHeartbeat: "Heartbeat senden",
  allCalls: "Alle Aufrufe zum Ausprobieren",
  demo: "Mit erfundenen Daten umsehen",
  demoWhat: `Ein Host namens {host} mit zwei Wochen Arbeit: Fenster, Seiten, Dateien und Pausen. Eigene Buckets bleiben,
    wie sie sind, und er lässt sich wieder entfernen.`,
  demoFailed: "Die Demo konnte nicht geändert werden.",
  demoRemoved: "Der Demo-Host wurde entfernt.",
  removeDemo: "Demo-Host entfernen",
  fillDemo: "Demo-Host anlegen",
  demoProgress: "Fortschritt der Demo",
};
