// Which windows belong to the browser that reports to a bucket.
import type { JsonValue } from "../domain/json.js";
import { isJsonObject } from "../domain/json.js";

/** How to recognize windows of a browser. */
export interface BrowserPattern {
  /** Exact names of the program. */
  readonly apps: readonly string[];
  /** A regular expression for other names. */
  readonly pattern: string;
}

/** The setting that extends the table: patterns of app names by the word in the bucket's ID. */
export const BROWSERS_SETTING = "browser_apps";

/** By the word in the bucket ID, `aw-watcher-web-WORD`; the first match wins. */
export const BROWSERS: readonly (readonly [word: string, BrowserPattern])[] = [
  [
    "chrome",
    {
      apps: ["com.google.Chrome", "com.google.ChromeDev", "org.chromium.Chromium"],
      pattern: "(?i)^(google[-_ ]?chrome|chrome|chromium)",
    },
  ],
  [
    "firefox",
    {
      apps: ["org.mozilla.firefox", "io.gitlab.librewolf-community", "net.waterfox.waterfox"],
      pattern: "(?i)(firefox|librewolf|waterfox|nightly)",
    },
  ],
  ["edge", { apps: ["com.microsoft.Edge"], pattern: "(?i)^(microsoft[-_ ]?edge|msedge)" }],
  ["opera", { apps: ["com.opera.Opera"], pattern: "(?i)^opera" }],
  ["brave", { apps: ["com.brave.Browser"], pattern: "(?i)^brave" }],
  ["vivaldi", { apps: ["com.vivaldi.Vivaldi"], pattern: "(?i)^vivaldi" }],
  ["orion", { apps: ["com.kagi.kagimacOS"], pattern: "(?i)^orion" }],
  ["arc", { apps: ["company.thebrowser.Browser"], pattern: "(?i)^arc(\\.exe)?$" }],
  ["dia", { apps: ["company.thebrowser.dia"], pattern: "(?i)^dia(\\.exe)?$" }],
  ["zen", { apps: ["app.zen_browser.zen"], pattern: "(?i)^zen([-_ ]|\\.exe|$)" }],
  ["floorp", { apps: ["one.ablaze.floorp"], pattern: "(?i)^floorp" }],
  ["safari", { apps: ["com.apple.Safari"], pattern: "(?i)^safari" }],
];

const PREFIX = /^aw-watcher-web[-_]/;

/** Parses the setting `browser_apps`. Skips invalid members. */
export function readBrowsers(stored: JsonValue | undefined): readonly (readonly [word: string, BrowserPattern])[] {
  if (!isJsonObject(stored ?? null)) return [];
  return Object.entries(stored as object).flatMap(([word, pattern]: [string, unknown]) =>
    typeof pattern === "string" && pattern !== "" && word !== "" ? [[word.toLowerCase(), { apps: [], pattern }]] : [],
  );
}

/** Parses the setting `browser_hosts`: hostnames by the ID of a browser's bucket. Skips invalid members. */
export function readBrowserHosts(stored: JsonValue | undefined): ReadonlyMap<string, string> {
  if (!isJsonObject(stored ?? null)) return new Map();
  return new Map(
    Object.entries(stored as object).flatMap(([id, host]: [string, unknown]) =>
      typeof host === "string" ? [[id, host]] : [],
    ),
  );
}

/** Shorter names are parts of other words: `media` is not `dia`. */
const SHORTEST_PART = 4;

/** How to recognize windows of the browser that reports to a bucket. @param more take precedence */
export function browserOf(
  bucketId: string,
  more: readonly (readonly [word: string, BrowserPattern])[] = [],
): BrowserPattern {
  const [word = ""] = bucketId.replace(PREFIX, "").toLowerCase().split("_");
  const parts = word.split(/[-. ]/);
  const isIn = (name: string): boolean => parts.includes(name) || (name.length >= SHORTEST_PART && word.includes(name));
  const known = [...more, ...BROWSERS].find(([name]) => isIn(name));
  if (known !== undefined) return known[1];
  // Unknown browser: programs whose names start with the word.
  return { apps: [], pattern: `(?i)^${word.replace(/[\\^$.*+?()[\]{}|/#&~-]/g, "\\$&")}` };
}
