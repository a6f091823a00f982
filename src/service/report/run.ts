import type { DomainOf } from "../../api/codec.js";
import type { Bucket } from "../../domain/bucket.js";
import { isDemoBucket } from "../../domain/demo.js";
import type { Goal } from "../../domain/goals.js";
import { isUnknownHost } from "../../domain/unknown-host.js";
import { extrasOfParts } from "../../report/bin-extras.js";
import { browserOf, readBrowserHosts } from "../../report/browsers.js";
import { bucketsOf, type HostBuckets } from "../../report/buckets.js";
import { type Plan, summedLists } from "../../report/request.js";
import { categoryFinder, compiledOr, type Pattern, REPORT_SETTINGS, type ReportRules } from "../../report/rules.js";
import type { SummaryWishes } from "../../report/summary.js";
import type { Decide } from "../../transforms/data.js";
import { sha256 } from "../../util/sha256.js";
import { filterParts } from "./filter.js";
import type { BrowserWindows, Run } from "./period-sums.js";
import type { SummarySpec } from "./summaries.js";

interface RunOptions {
  /** Receives settings that cannot be applied. */
  readonly faults: DomainOf<"ReportFault">[];
  readonly goals: readonly Goal[];
  /** The rule that windows must match; absent for all windows. */
  readonly rule: Decide<boolean> | undefined;
  /** Of the server: another one may count differently. */
  readonly version: string;
}

/**
 * Chooses the buckets, and compiles the filter and the patterns of browsers.
 *
 * @param visible buckets that the caller can see
 */
export function createRun(
  given: Pick<Run, "plan" | "now" | "limit" | "rules">,
  visible: readonly Bucket[],
  { faults, goals, version, rule }: RunOptions,
): Run {
  const { plan, rules } = given;
  // Example data count only where they are asked for.
  const buckets = visible.filter((bucket) => !isDemoBucket(bucket) || plan.hosts?.includes(bucket.hostname));
  const filter = filterParts(plan.terms, rules.categories, rule);
  const { hosts, unassigned } = bucketsOf(buckets, {
    wanted: plan.hosts,
    hasStopwatches: rules.settings["stopwatch_active"] !== false,
    browserHosts: readBrowserHosts(rules.settings["browser_hosts"]),
    browserOf: (id) => browserOf(id, rules.browsers).pattern,
  });
  const types = typesOf(plan, buckets);
  const hasFiles =
    (filter?.fileKeys.length ?? 0) > 0 ||
    plan.shortestBreak !== undefined ||
    plan.groups.some(({ source }) => source.kind === "edits");
  const hasGroup = plan.groups.some(({ source }) => source.kind === "category");
  const needsRowCategories = hasGroup || plan.groups.some(({ only }) => only !== undefined);
  const hasDailyGoals = plan.period.first !== plan.period.last && goals.some(({ per }) => per === "day");
  const wishes: SummaryWishes = {
    groups: summedLists(plan.groups),
    hasCategories: needsRowCategories || goals.length > 0,
    hasRowCategories: needsRowCategories,
    hasBinCategories: (hasGroup && plan.by !== undefined) || hasDailyGoals,
    extras: extrasOfParts(plan),
  };
  const spec = specOf({ plan, rules, hosts, types, wishes, hasFiles, version });
  const browsers = browsersOf(hosts, rules, faults);
  const categoryOf = categoryFinder(rules);
  return { ...given, filter, hosts, unassigned, types, hasFiles, browsers, categoryOf, wishes, spec };
}

function typesOf({ groups, hosts }: Plan, buckets: readonly Bucket[]): Map<string, readonly string[]> {
  const types = new Map<string, readonly string[]>();
  for (const { source } of groups) {
    if (source.kind !== "type") continue;
    // What an unknown host has, such as a stopwatch, belongs to all.
    const isChosen = (hostname: string) => hosts?.includes(hostname) !== false || isUnknownHost(hostname);
    const chosen = buckets.filter(({ type, hostname }) => type === source.type && isChosen(hostname));
    types.set(
      source.type,
      chosen.map(({ id }) => id),
    );
  }
  return types;
}

function browsersOf(
  hosts: readonly HostBuckets[],
  rules: ReportRules,
  faults: DomainOf<"ReportFault">[],
): Map<string, BrowserWindows> {
  const patterns = new Map<string, Pattern | undefined>();
  const browsers = new Map<string, BrowserWindows>();
  for (const id of hosts.flatMap(({ browsers }) => browsers)) {
    const { apps, pattern } = browserOf(id, rules.browsers);
    if (!patterns.has(pattern)) patterns.set(pattern, compiledOr(faults, "browser_apps", id, pattern));
    browsers.set(id, { apps, pattern: patterns.get(pattern) });
  }
  return browsers;
}

/** Settings that do not change sums of parts: the borders of parts and bins are compared. */
const OTHER_SETTINGS: readonly string[] = [
  ...["stopwatch_active", "browser_hosts", "app_names", "goals", "workdays", "timeZone", "startOfDay", "startOfWeek"],
];

type SpecParts = Pick<Run, "plan" | "rules" | "hosts" | "types" | "wishes" | "hasFiles"> & Pick<RunOptions, "version">;

function specOf({ plan, rules, hosts, types, wishes, hasFiles, version }: SpecParts): SummarySpec {
  const settings = REPORT_SETTINGS.filter((key) => !OTHER_SETTINGS.includes(key)).map((key) => rules.settings[key]);
  const ofRules = digestOf([version, settings]);
  const lists = wishes.groups.map(({ source, foldsNumbers }) => [source, foldsNumbers]);
  const key = [
    ofRules,
    hosts,
    [...types],
    { ...wishes, groups: lists },
    hasFiles,
    plan.terms,
    plan.zone,
    plan.by === "hour",
  ];
  const ofHosts = hosts.flatMap((one) => [
    ...[...one.windows, ...one.phones, ...one.afk, ...one.browsers, ...one.stopwatches],
    ...(hasFiles ? one.editors : []),
  ]);
  return { rules: ofRules, key: digestOf(key), bucketIds: [...new Set([...ofHosts, ...[...types.values()].flat()])] };
}

const encoder: TextEncoder = new TextEncoder();

function digestOf(value: unknown): string {
  const digest = sha256();
  digest.update(encoder.encode(JSON.stringify(value)));
  return digest.hex().slice(0, 32);
}
