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
  phoneHow: "Scannen Sie den Code mit dem Handy, oder tragen Sie die Adresse in den Einstellungen seines Watchers ein.",
  address: "Adresse dieses Servers",
  local: `Andere Geräte erreichen diese Adresse nicht. Starten Sie den Server mit {option}, und öffnen Sie das Dashboard
    unter dem Namen oder der IP-Adresse dieses Computers.`,
  notAnAddress: "Geben Sie eine Adresse ein, etwa {example}.",
  code: "QR-Code von {address}",
  pairing: `Ein Gerät, das einen Schlüssel braucht, kann darum bitten. Die Anfrage erscheint dann oben in jeder
    Ansicht: {access}.`,
};
