// Rules for what most people keep private. They are starting points: the view shows what they match. Pure.
import type { JsonObject } from "../../../domain/json.js";

/** Hides what a page or a window is about, but not its time. */
const HIDE: JsonObject = { redact: { keys: ["title", "url"] } };

function rule(key: string, matches: string): JsonObject {
  return { when: { key, matches, ignoreCase: true }, then: HIDE };
}

/** A pattern for the names of sites. */
function atHost(...words: readonly string[]): string {
  return `^https?://[^/]*(${words.join("|")})`;
}

export type PrivacyPreset = "privateWindows" | "banks" | "passwords" | "health";

/** Privacy rules by topic. */
export const PRIVACY_PRESETS: Readonly<Record<PrivacyPreset, readonly JsonObject[]>> = {
  privateWindows: [
    { when: { key: "incognito", equals: true }, then: "drop" },
    // Hidden, not dropped: an article about private windows has such a title, too.
    rule(
      "title",
      "private browsing|private window|inprivate|incognito|privater modus|privates fenster|inkognito|גלישה פרטית",
    ),
  ],
  banks: [
    rule("title", "banking|\\bbank\\b|sparkasse|volksbank|paypal|revolut|\\bn26\\b|בנק"),
    rule("url", atHost("bank", "sparkasse", "paypal", "revolut", "n26", "chase", "hsbc", "leumi", "hapoalim")),
  ],
  passwords: [
    rule("app", "1password|bitwarden|keepass|lastpass|dashlane|enpass|nordpass|proton ?pass|keychain"),
    rule("url", atHost("1password", "bitwarden", "lastpass", "dashlane", "nordpass", "pass\\.proton")),
  ],
  health: [
    rule(
      "title",
      "\\b(doctors?|clinics?|hospitals?|therap(y|ist)|symptoms?|pharmacy)\\b|arztpraxis|klinik|apotheke|רופא",
    ),
    rule("url", atHost("doctolib", "webmd", "mayoclinic", "nhs\\.uk", "netdoktor", "apotheke", "clalit", "maccabi")),
  ],
};
