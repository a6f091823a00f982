// Query programs of ActivityWatch clients (docs/reference/compatibility.md#what-clients-ask), so that all numbers match
// theirs. The difference is that everything is cut to active time: the clients do not cut pages and files (step 3), nor
// windows without data about idle time (step 4).
import { ignoresCase, rulePattern } from "../filter/categories.js";
import { patternOf } from "./browsers.js";
import type { CategoryRule } from "./categories.js";
import {
  enrichingLines,
  type Filtering,
  isFiltering,
  keepingLines,
  keepingOwnLines,
  type OtherData,
} from "./filter/program.js";
import {
  browserLines,
  groupLines,
  listsOf,
  membersOf,
  OF_PHONES,
  onlyLines,
  type RequestedLists,
  returned,
} from "./program-lists.js";
import { printName, printText, printTexts } from "./program-text.js";

/** Categories in program format. */
export type Rules = readonly (readonly [name: readonly string[], rule: CategoryRule])[];

/** Parameters of all programs. */
export interface Classifying {
  readonly rules: Rules;
  /** Windows whose app or title matches count as active time; "" for none. */
  readonly alwaysActivePattern?: string;
  /** Filter of the events. */
  readonly filtering?: Filtering | undefined;
}

/** Buckets of a computer, by ID. */
export interface DesktopBuckets {
  readonly window: string;
  /** If omitted, all time counts. */
  readonly afk?: string | undefined;
  readonly browsers: readonly string[];
  /** Buckets of editors, whose files can filter windows. */
  readonly editors?: readonly string[];
}

/** Without `browsers`, audible pages do not count as active time, as with several hosts. */
type CountedBuckets = Omit<DesktopBuckets, "browsers"> & Partial<Pick<DesktopBuckets, "browsers">>;

/** Buckets of a host. */
export type HostSource =
  | ({ readonly kind: "desktop" } & DesktopBuckets)
  /** Reports only apps in the foreground, so that there is no idle time. */
  | { readonly kind: "android"; readonly window: string };

/** Activity of a computer: `{ window: { ... }, browser: { ... } }`, or `{ cat_events }`. */
export function desktopProgram(buckets: DesktopBuckets, classifying: Classifying, wanted: RequestedLists = {}): string {
  const lines = canonicalLines(buckets, classifying);
  const only = onlyLines(wanted);
  if (only !== undefined) return joined([...lines, ...only]);
  const groups = groupLines(wanted, classifying);
  return joined([...lines, ...groups, ...browserLines(wanted), returned(wanted, browserResult(wanted))]);
}

/** The events that all numbers of a computer are based on: categorized, without idle time. */
export function canonicalProgram(buckets: DesktopBuckets, classifying: Classifying): string {
  return joined([...canonicalLines(buckets, classifying), "RETURN = events;"]);
}

/** Activity of a phone: `{ app_events, title_events, cat_events, duration }`, or `{ cat_events }`. */
export function androidProgram(window: string, classifying: Classifying, wanted: RequestedLists = {}): string {
  const { rules, filtering } = classifying;
  const lines = [
    `events = flood(query_bucket(${printText(window)}));`,
    CUT_TO_THEMSELVES,
    'events = merge_events_by_keys(events, ["app", "title"]);',
    categorizeLine(rules),
    ...(isFiltering(filtering) ? keepingLines(filtering) : []),
  ];
  const only = onlyLines(wanted, OF_PHONES);
  if (only !== undefined) return joined([...lines, ...only]);
  const groups = groupLines(wanted, classifying, OF_PHONES);
  return joined([...lines, ...groups, `RETURN = { ${membersOf(listsOf(wanted))} };`]);
}

/**
 * Activity of several hosts: `{ window: { ... }, once }`, or `{ cat_events }`. The first host should win when several
 * are active at the same time. But `union_no_overlap` cuts each event by only one other event, so that overlaps can
 * count several times, as in every client. `once` is the total in seconds without overlaps.
 */
export function multideviceProgram(
  sources: readonly HostSource[],
  classifying: Classifying,
  wanted: RequestedLists = {},
): string {
  const lines = jointLines(sources, classifying);
  const only = onlyLines(wanted);
  if (only !== undefined) return joined([...lines, ...only]);
  lines.push("once = sum_durations(period_union(events, []));");
  return joined([...lines, ...groupLines(wanted, classifying), returned(wanted, '"once": once')]);
}

/**
 * Program lines that set `events` to the categorized events of several hosts. Clients do this host by host, with the
 * same result.
 */
function jointLines(sources: readonly HostSource[], classifying: Classifying): string[] {
  const lines = sources.flatMap((source, index) => [
    ...(source.kind === "desktop"
      ? presentLines({ window: source.window, afk: source.afk }, classifying)
      : [
          `events = flood(query_bucket(${printText(source.window)}));`,
          "not_afk = period_union(events, []);",
          CUT_LINE,
        ]),
    ...enrichedLines(source, classifying),
    `events_${index} = events;`,
    `not_afk_${index} = not_afk;`,
  ]);
  lines.push("events = [];", "not_afk = [];");
  for (const index of sources.keys()) {
    lines.push(`events = union_no_overlap(events, events_${index});`);
    lines.push(`not_afk = union_no_overlap(not_afk, not_afk_${index});`);
  }
  if (!isFiltering(classifying.filtering)) lines.push(categorizeLine(classifying.rules));
  else lines.push(...keepingLines(classifying.filtering));
  return lines;
}

/** Program lines that set `events` to the events that all numbers are based on: categorized, without idle time. */
export function eventLines(sources: readonly HostSource[], classifying: Classifying, areJoint: boolean): string[] {
  const { rules, filtering } = classifying;
  const [only] = sources;
  if (only === undefined || areJoint) return jointLines(sources, classifying);
  if (only.kind === "desktop") return canonicalLines(only, classifying);
  return [
    `events = flood(query_bucket(${printText(only.window)}));`,
    CUT_TO_THEMSELVES,
    categorizeLine(rules),
    ...(isFiltering(filtering) ? keepingLines(filtering) : []),
  ];
}

/** Cuts `events` to `not_afk`. */
export const CUT_LINE = "events = filter_period_intersect(events, not_afk);";
/** Removes negative durations, which would make a sum smaller than its list. */
const CUT_TO_THEMSELVES = "events = filter_period_intersect(events, period_union(events, []));";

function browserResult({ lean = false }: RequestedLists): string {
  const further = lean ? "" : '"urls": urls, "titles": titles, ';
  return `"browser": { "domains": domains, ${further}"duration": browser_duration }`;
}

/** Program lines that set `events` to the categorized windows during active time, `not_afk` and `browser_events`. */
export function canonicalLines(buckets: DesktopBuckets, classifying: Classifying): string[] {
  const { filtering } = classifying;
  const lines = [...presentLines(buckets, classifying), categorizeLine(classifying.rules)];
  if (!isFiltering(filtering)) return lines;
  return [
    ...lines,
    ...enrichingLines(filtering, otherDataOf(buckets)),
    ...keepingLines(filtering),
    // Pages count while a window that passes the filter is active.
    "browser_events = filter_period_intersect(browser_events, events);",
    ...keepingOwnLines(filtering, "browser_events"),
  ];
}

/** One of several hosts: the filter can use pages and files, but audible pages do not count as active time. */
function enrichedLines(source: HostSource, { rules, filtering }: Classifying): string[] {
  if (!isFiltering(filtering)) return [];
  if (source.kind === "android") return [categorizeLine(rules)];
  const pages = source.browsers.flatMap(browserSourceLines);
  return [...pages, categorizeLine(rules), ...enrichingLines(filtering, otherDataOf(source))];
}

function otherDataOf({ browsers, editors = [] }: DesktopBuckets): OtherData {
  return { hasPages: browsers.length > 0, editors };
}

/** Program lines for active windows without categories. */
export function presentLines(
  { window, afk, browsers }: CountedBuckets,
  { alwaysActivePattern = "" }: Classifying,
): string[] {
  const lines = [`events = flood(query_bucket(${printText(window)}));`];
  if (afk === undefined) {
    lines.push("not_afk = period_union(events, []);");
  } else {
    lines.push(`not_afk = flood(query_bucket(${printText(afk)}));`);
    lines.push('not_afk = filter_keyvals(not_afk, "status", ["not-afk"]);');
    if (alwaysActivePattern !== "") {
      for (const key of ["app", "title"]) {
        const matching = `filter_keyvals_regex(events, "${key}", ${printText(alwaysActivePattern, "pattern")})`;
        lines.push(`not_afk = period_union(not_afk, ${matching});`);
      }
    }
  }
  lines.push("browser_events = [];");
  for (const [index, bucketId] of (browsers ?? []).entries()) lines.push(...browserSourceLines(bucketId, index));
  if (browsers !== undefined) {
    lines.push('audible_events = filter_keyvals(browser_events, "audible", [true]);');
    lines.push("not_afk = period_union(not_afk, audible_events);");
    // Unlike in the clients: there an active browser counts during idle time.
    lines.push("browser_events = filter_period_intersect(browser_events, not_afk);");
  }
  lines.push(CUT_LINE);
  return lines;
}

/** Pages count while their browser is active. */
function browserSourceLines(bucketId: string, index: number): string[] {
  const { apps, pattern } = patternOf(bucketId);
  const [pages, windows] = [`pages_${index}`, `windows_${index}`];
  return [
    `${pages} = flood(query_bucket(${printText(bucketId)}));`,
    `${windows} = filter_keyvals(events, "app", ${printTexts(apps)});`,
    `${windows} = concat(${windows}, filter_keyvals_regex(events, "app", ${printText(pattern, "pattern")}));`,
    `${pages} = filter_period_intersect(${pages}, sort_by_timestamp(${windows}));`,
    `${pages} = split_url_events(${pages});`,
    `browser_events = sort_by_timestamp(concat(browser_events, ${pages}));`,
  ];
}

function categorizeLine(rules: Rules): string {
  return `events = categorize(events, ${printRules(rules)});`;
}

/** Formats rules as a literal. */
export function printRules(rules: Rules): string {
  return `[${rules.map(([name, rule]) => `[${printName(name)}, ${printRule(rule)}]`).join(", ")}]`;
}

/** Formats a rule as a literal. */
export function printRule(rule: CategoryRule): string {
  const members = ['"type": "regex"', `"regex": ${printText(rulePattern(rule) ?? "", "pattern")}`];
  if (ignoresCase(rule)) members.push('"ignore_case": true');
  // Members that other clients write, which the type lacks. Servers ignore all others.
  const further = new Map<string, unknown>(Object.entries(rule));
  const keys = further.get("select_keys");
  if (isTexts(keys) && keys.length > 0) members.push(`"select_keys": ${printTexts(keys)}`);
  for (const name of ["priority", "weight"]) {
    const rank = further.get(name);
    if (Number.isSafeInteger(rank)) members.push(`"${name}": ${Number(rank) < 0 ? `(0 - ${-Number(rank)})` : rank}`);
  }
  return `{${members.join(", ")}}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function joined(lines: readonly string[]): string {
  return lines.join("\n");
}
