/** How to recognize windows of a browser. */
export interface BrowserPattern {
  /** Exact names of the program. */
  readonly apps: readonly string[];
  /** A regular expression for other names, in the server's dialect. */
  readonly pattern: string;
}

/** By the word in the bucket ID, `aw-watcher-web-WORD`; the first match wins. */
const BROWSERS: readonly (readonly [string, BrowserPattern])[] = [
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
  ["orion", { apps: [], pattern: "(?i)^orion" }],
  ["arc", { apps: [], pattern: "(?i)^arc(\\.exe)?$" }],
  ["zen", { apps: ["app.zen_browser.zen"], pattern: "(?i)^zen([-_ ]|\\.exe|$)" }],
  ["floorp", { apps: ["one.ablaze.floorp"], pattern: "(?i)^floorp" }],
  ["safari", { apps: ["com.apple.Safari"], pattern: "(?i)^safari" }],
];

const PREFIX = /^aw-watcher-web[-_]/;

/** How to recognize windows of the browser that reports to a bucket. */
export function patternOf(bucketId: string): BrowserPattern {
  const [word = ""] = bucketId.replace(PREFIX, "").toLowerCase().split("_");
  const known = BROWSERS.find(([name]) => word.includes(name));
  if (known !== undefined) return known[1];
  // Unknown browser: programs whose names start with the word.
  return { apps: [], pattern: `(?i)^${word.replace(/[\\^$.*+?()[\]{}|/#&~-]/g, "\\$&")}` };
}
