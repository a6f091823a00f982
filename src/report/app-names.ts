// One name for the same app on different systems (docs/guides/reports.md#apps).
import { isJsonObject, type JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { keyIn, type ListSums, type RowKey } from "./sums.js";

/** Names that differ in more than case, spaces and the ending, by the name to show. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  "Google Chrome": ["chrome", "com.google.chrome", "com.android.chrome"],
  Firefox: ["mozilla firefox", "firefox-esr", "firefox_firefox", "org.mozilla.firefox"],
  "Microsoft Edge": ["msedge", "com.microsoft.edge", "com.microsoft.emmx"],
  Code: ["visual studio code", "vscode", "com.microsoft.vscode"],
  Brave: ["brave browser", "com.brave.browser"],
  Telegram: ["telegram desktop", "org.telegram.desktop", "org.telegram.messenger"],
  Signal: ["signal desktop", "org.thoughtcrime.securesms"],
  WhatsApp: ["com.whatsapp"],
  Slack: ["com.slack", "com.tinyspeck.slackmacgap"],
  Spotify: ["com.spotify.client", "com.spotify.music"],
  Thunderbird: ["mozilla thunderbird", "thunderbird-esr", "org.mozilla.thunderbird"],
};

/** Equal for names that differ only in case, spaces, hyphens and the ending `.exe`. */
function foldName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.exe$/, "")
    .replace(/[\s_-]+/g, " ")
    .trim();
}

const KNOWN: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([shown, names]) => [shown, ...names].map((name) => [foldName(name), shown])),
);

/** The names of apps. */
export class AppNames {
  readonly #own: ReadonlyMap<string, string>;
  readonly #ids: Map<string, string> = new Map();

  /** @param setting `app_names`: the name to show by the reported name; takes precedence */
  constructor(setting: JsonValue | undefined) {
    const given: readonly (readonly [string, unknown])[] = isJsonObject(setting ?? null)
      ? Object.entries(setting as object)
      : [];
    this.#own = new Map(given.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  }

  /** Equal for the names of one app. */
  idOf(name: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    // A name that the setting maps to itself stays apart from similar ones.
    const id = this.#own.get(name) === name ? `=${name}` : foldName(this.shown(name) ?? name);
    this.#ids.set(name, id);
    return id;
  }

  /** The name to show for all names of an app; `undefined` = the one with the most time. */
  shown(name: string): string | undefined {
    const own = this.#own.get(name);
    return own ?? KNOWN.get(foldName(name));
  }
}

/** A row of a list with the rows that belong to it. */
export interface FoldedRow {
  readonly id: string;
  readonly micros: Micros;
  /** The key to show, and its app. */
  readonly shown: () => RowKey;
  /** Rows of the list, the longest first. */
  readonly parts: number[];
}

/** Folds the rows of a list of apps, or of titles with their apps. @param isTitle whether the key is a title */
export function* foldApps(
  { ids, micros }: Pick<ListSums, "ids" | "micros">,
  names: AppNames,
  isTitle: boolean,
): Steps<readonly FoldedRow[]> {
  const rows = new Map<string, number[]>();
  const idOf = isTitle ? titleId(names) : appId(names);
  for (const [row, id] of ids.entries()) {
    const folded = idOf(id);
    const own = rows.get(folded);
    if (own === undefined) rows.set(folded, [row]);
    else own.push(row);
    if (row % STEP_EVENTS === STEP_EVENTS - 1) yield;
  }
  const timeOf = (row: number): Micros => micros[row] as Micros;
  const all: FoldedRow[] = [];
  for (const [id, parts] of rows) {
    parts.sort((a, b) => timeOf(b) - timeOf(a) || a - b);
    const shown = (): RowKey => {
      const [key, app] = keyIn(ids[parts[0] as number] as string);
      return isTitle ? { key, app: shownName(names, app) } : { key: shownName(names, key) };
    };
    all.push({ id, micros: parts.reduce((sum, row) => sum + timeOf(row), 0), parts, shown });
    if (all.length % STEP_EVENTS === 0) yield;
  }
  return all;
}

function shownName(names: AppNames, name: string | null): string | null {
  return name === null ? null : (names.shown(name) ?? name);
}

function appId(names: AppNames): (id: string) => string {
  return (id) => {
    const [name] = keyIn(id);
    return name === null ? id : JSON.stringify([names.idOf(name), null]);
  };
}

/** Replaces the app without parsing the title. */
function titleId(names: AppNames): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    // Inside strings, quotes are escaped.
    const at = Math.max(id.lastIndexOf(',"'), id.lastIndexOf(",null]")) + 1;
    const app = id.slice(at, -1);
    let folded = known.get(app);
    if (folded === undefined) {
      const name = JSON.parse(app) as string | null;
      folded = JSON.stringify(name === null ? null : names.idOf(name));
      known.set(app, folded);
    }
    return `${id.slice(0, at)}${folded}]`;
  };
}
