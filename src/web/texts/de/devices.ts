import type { Catalogue } from "../catalogue.js";

export const devices: Catalogue["devices"] = {
  intro: "Die Geräte, die diesem Server berichten, und ihre Watcher.",
  none: "Noch kein Gerät hat berichtet.",
  watcher: "Watcher",
  lastReport: "Letzte Meldung",
  state_now: "meldet gerade",
  state_recent: "gerade still",
  state_silent: "seit über einem Tag still",
  state_empty: "noch keine Ereignisse",
  phone: "Handy oder weiteren Computer verbinden",
  phoneHow: "Scanne den Code mit dem Handy, oder trage die Adresse in den Einstellungen seines Watchers ein.",
  restart: "Den Server erreicht bisher nur dieser Computer. Beende ihn, und starte ihn für andere Geräte:",
  unencrypted: `Schlüssel und Daten laufen unverschlüsselt durch dein Netz. {option} verschlüsselt sie, aber die Watcher
    müssen das akzeptieren.`,
  signIn: "Auf diesem Computer anmelden:",
  key: "Einen Schlüssel für das andere Gerät erstellen, mit dem es alles lesen und melden kann:",
  reopen: "Diese Seite erneut öffnen. Sie zeigt dann die Adresse und ihren QR-Code.",
  address: "Adresse dieses Servers",
  local: `Andere Geräte erreichen diese Adresse nicht. Starte den Server mit {option}, und öffne das Dashboard
    unter dem Namen oder der IP-Adresse dieses Computers.`,
  notAnAddress: "Gib eine Adresse ein, etwa {example}.",
  code: "QR-Code von {address}",
  pairing: `Ein Gerät, das einen Schlüssel braucht, kann darum bitten. Die Anfrage erscheint dann oben in jeder
    Ansicht: {access}.`,
};
