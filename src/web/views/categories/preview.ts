// Previews the effect of rules on recent time: the program, and its response.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.js";
import { type CategoryRule, isActive, keyOf, UNCATEGORIZED } from "../../categories.js";
import { readName } from "../../program-text.js";
import { type Classifying, canonicalProgram, type HostSource, multideviceProgram, printRule } from "../../programs.js";

/** Time with equal app and title, or with equal app. */
export interface Group {
  readonly app: string | undefined;
  readonly title: string | undefined;
  /** Seconds. */
  readonly duration: number;
  /** Its category by all rules. */
  readonly category: readonly string[];
}

export interface Preview {
  /** Groups that the edited rule matches, longest first. */
  readonly matching: readonly Group[];
  /** Total of the edited rule's matches, in seconds. */
  readonly matchingSeconds: number;
  /** The longest groups that it does not match. */
  readonly others: readonly Group[];
  readonly uncategorizedApps: readonly Group[];
  readonly uncategorizedTitles: readonly Group[];
  /** Seconds by `keyOf` of the category's name, without subcategories. */
  readonly totals: ReadonlyMap<string, number>;
  /** Total in seconds. */
  readonly seconds: number;
}

/** Maximum number of groups to list separately. */
export const MOST_MATCHING = 1000;
const MOST_OTHERS = 50;
const MOST_UNCATEGORIZED = 100;

/** The program for the active time of hosts in groups. `edited` is first, so that its errors are reported first. */
export function previewProgram(
  sources: readonly HostSource[],
  classifying: Classifying,
  edited: CategoryRule | undefined,
): string {
  const [first] = sources;
  const rules = edited !== undefined && isActive(edited) ? `[["edited", ${printRule(edited)}]]` : "[]";
  const uncategorized = `[["${UNCATEGORIZED}"]]`;
  return [
    `checked = tag([], ${rules});`,
    sources.length === 1 && first?.kind === "desktop"
      ? canonicalProgram(first, classifying)
      : multideviceProgram(sources, classifying, { onlyCategories: true }),
    `groups = sort_by_duration(merge_events_by_keys(tag(events, ${rules}), ["app", "title"]));`,
    'matching = filter_keyvals(groups, "$tags", [["edited"]]);',
    `uncategorized = filter_keyvals(groups, "$category", ${uncategorized});`,
    'apps = sort_by_duration(merge_events_by_keys(uncategorized, ["app"]));',
    "RETURN = {",
    `  "matching": limit_events(matching, ${MOST_MATCHING}),`,
    '  "matching_seconds": sum_durations(matching),',
    `  "others": limit_events(exclude_keyvals(groups, "$tags", [["edited"]]), ${MOST_OTHERS}),`,
    `  "apps": limit_events(apps, ${MOST_UNCATEGORIZED}),`,
    `  "titles": limit_events(uncategorized, ${MOST_UNCATEGORIZED}),`,
    '  "categories": merge_events_by_keys(events, ["$category"]),',
    '  "seconds": sum_durations(events)',
    "};",
  ].join("\n");
}

/** Parses the response. */
export function readPreview(answer: JsonValue): Preview {
  const fields = isJsonObject(answer) ? answer : {};
  const groups = (name: string) => listIn(fields[name]).map(readGroup);
  return {
    matching: groups("matching"),
    matchingSeconds: numberIn(fields["matching_seconds"]),
    others: groups("others"),
    uncategorizedApps: groups("apps").map((group) => ({ ...group, title: undefined })),
    uncategorizedTitles: groups("titles"),
    totals: new Map(groups("categories").map(({ category, duration }) => [keyOf(category), duration])),
    seconds: numberIn(fields["seconds"]),
  };
}

function readGroup(event: JsonObject): Group {
  const data = isJsonObject(event["data"]) ? event["data"] : {};
  const { $category: category } = data;
  return {
    app: textIn(data, "app"),
    title: textIn(data, "title"),
    duration: numberIn(event["duration"]),
    category: Array.isArray(category) ? category.map((level: JsonValue) => readName(String(level))) : [UNCATEGORIZED],
  };
}

function listIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function numberIn(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** Ignores values other than strings, since rules only search strings. */
function textIn(data: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "string" ? value : undefined;
}
