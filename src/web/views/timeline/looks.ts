// Color and label of events.
import type { JsonObject, JsonValue } from "../../../domain/json.js";
import { type Category, labelOf, UNCATEGORIZED } from "../../categories.js";
import { colorByName, createColors, visibleOnDark } from "../../category-colors.js";
import type { Classified } from "../../classifier.js";
import { shorten } from "../../format.js";
import { t } from "../../texts/timeline.js";

/** Property that determines colors. */
export type Coloring = "category" | "kind";

/** Appearance of an event. */
export interface Look {
  /** `#rrggbb`. */
  readonly color: string;
  /** A short single-line text. */
  readonly label: string;
  /** Meaning of the color: a category, an app, a status. */
  readonly name: string;
  /** Whether the filter excludes it. */
  readonly isFaint: boolean;
  /** The category, if it determines the color. */
  readonly category: string | undefined;
  /** Whether it shows presence. */
  readonly isPresence: boolean;
}

/** Maximum length of labels, in characters; no lane is wider. */
const MAX_LABEL = 240;

const PRESENT = "#2e8b57";
const AWAY = "#a68f66";

/** The type of presence, which has no category. */
const PRESENCE = "afkstatus";

/** Whether the look of a type's data depends on their class. */
export function isClassified(type: string, coloring: Coloring, filter: readonly string[]): boolean {
  return type !== PRESENCE && (coloring === "category" || filter.length > 0);
}

/**
 * Creates a function that returns the look of a bucket type's data. Caches results by data.
 *
 * @param classes the server's classes of data, as far as known
 * @param isFiltered whether data that do not match are faint
 */
export function createLooks(
  coloring: Coloring,
  categories: readonly Category[],
  classes: { of(data: JsonObject): Classified | undefined },
  isFiltered = false,
  isDark = false,
): (type: string, data: JsonObject) => Look {
  const colors = createColors(categories, isDark);
  const kept = new WeakMap<JsonObject, Look>();
  // Read here, so that a language change creates new looks.
  const presence: Presence = { present: t("present"), away: t("away") };
  const make = (type: string, data: JsonObject): Look => {
    // AFK status applies to everything at that time, so that a filter does not fade it.
    const isPresence = type === PRESENCE;
    const isFaint = isFiltered && !isPresence && classes.of(data)?.matches === false;
    const shared = { isFaint, isPresence, category: undefined };
    if (isPresence) {
      const name = afkName(data["status"], presence);
      return { ...shared, color: afkColor(data["status"]), label: line([name]), name };
    }
    const label = labelFor(type, data);
    if (coloring === "category") {
      const name = classes.of(data)?.category ?? [UNCATEGORIZED];
      return { ...shared, color: colors.of(name), label, name: labelOf(name), category: labelOf(name) };
    }
    const name = kindOf(data);
    const color = colorByName(name);
    return { ...shared, color: isDark ? visibleOnDark(color) : color, label, name };
  };
  return (type, data) => {
    const before = kept.get(data);
    if (before !== undefined) return before;
    const look = make(type, data);
    kept.set(data, look);
    return look;
  };
}

function afkColor(status: JsonValue | undefined): string {
  if (status === "not-afk") return PRESENT;
  return status === "afk" ? AWAY : colorByName(labelText(status));
}

interface Presence {
  readonly present: string;
  readonly away: string;
}

function afkName(status: JsonValue | undefined, { present, away }: Presence): string {
  if (status === "not-afk") return present;
  return status === "afk" ? away : labelText(status);
}

/** The common property of events with the same color: an app, a site, a project. */
function kindOf(data: JsonObject): string {
  const { app, url, project, language, status, label } = data;
  if (typeof url === "string") return siteOf(url);
  for (const value of [app, project, language, status, label]) if (isShown(value)) return labelText(value);
  return labelText(Object.values(data).find(isShown));
}

function siteOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] || url.slice(0, 60);
}

function labelFor(type: string, data: JsonObject): string {
  const { app, title, url, file, project, status } = data;
  if (type === "web.tab.current") return line([title, typeof url === "string" ? siteOf(url) : url]);
  if (type === "app.editor.activity") return line([lastPart(file), project]);
  const known = [app, title, data["label"], status].filter(isShown);
  return line(known.length > 0 ? known : Object.values(data).filter(isShown));
}

/** The file name without folders. */
function lastPart(file: JsonValue | undefined): JsonValue | undefined {
  return typeof file === "string" ? file.split(/[/\\]/).at(-1) || file : file;
}

function isShown(value: JsonValue | undefined): value is string | number | boolean {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number" || typeof value === "boolean";
}

function labelText(value: JsonValue | undefined): string {
  return isShown(value) ? String(value) : "";
}

function line(parts: readonly (JsonValue | undefined)[]): string {
  // A boolean without its key is meaningless.
  const texts = parts
    .filter((part) => isShown(part) && typeof part !== "boolean")
    .map((part) => shorten(String(part), MAX_LABEL).replace(/\s+/g, " "));
  return shorten(texts.join(" · "), MAX_LABEL);
}
