import type { Catalogue } from "../catalogue.js";

export const common: Catalogue["common"] = {
  cancel: "Abbrechen",
  copied: "Kopiert",
  copy: "Kopieren",
  copyLabel: "Kopieren: {what}",
  copyByHand: "Bitte von Hand kopieren",
  couldNotDo: "Das hat nicht geklappt.",
  empty: "(leer)",
  loading: "Lädt …",
  save: "Speichern",
  saved: "Gespeichert",
  saving: "Speichert …",
  tryAgain: "Erneut versuchen",
  hoursMinutes: "{hours} h {minutes} min",
  minutesSeconds: "{minutes} min {seconds} s",
  seconds: "{seconds} s",
  badStatus: "Der Server hat mit dem Status {status} geantwortet.",
  notThisServer: "Die Antwort kam nicht von diesem Server.",
  timeout: "Der Server hat nicht rechtzeitig geantwortet.",
  unreachable: "Der Server antwortet nicht.",
};
