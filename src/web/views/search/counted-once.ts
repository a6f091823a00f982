// The time of a search's groups by the report that *Activity* shows, in which each moment counts once: the window's row
// has the time of a page or file that matches. Rows therefore add up to at most the total. Pure.
import type { ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchSummary } from "../../../client/index.js";
import type { Report, ReportGroup, ReportRequest } from "../../report.js";
import type { Way } from "./address.js";
import type { FoundGroup } from "./first-found.js";

type GroupWay = Exclude<Way, "events">;

/** Maximum number of rows of a list in a report. */
const MAX_ROWS = 10_000;

/** The report with the time of groups. */
export function reportOfGroups(base: ReportRequest, way: GroupWay, limit: number = MAX_ROWS): ReportRequest {
  if (way === "day") return { ...base, by: "day" };
  const shared = { limit: Math.min(limit, MAX_ROWS), fold_numbers: way === "title" };
  return { ...base, groups: listsOf(way).map((by) => ({ by, ...shared })) };
}

/** Reported names of apps, and titles without them, as searches group them. Stopwatch entries have labels. */
function listsOf(way: Exclude<GroupWay, "day">): readonly string[] {
  if (way === "title") return [":title", ":label"];
  return [way === "app" ? ":app" : way];
}

/** Rows with their time. */
interface Reported {
  readonly rows: readonly FoundGroup[];
  readonly seconds: number;
  /** Whether the report has more rows. */
  readonly hasMore: boolean;
}

/** @param dayAt the date of a moment */
function readReport({ groups, bins, totals }: Report, way: GroupWay, dayAt: (instant: number) => string): Reported {
  if (way === "day") {
    const days = bins.filter(({ active }) => active > 0);
    const rows = days.map(({ start, active }) => ({ key: dayAt(Date.parse(start)), seconds: active }));
    return { rows, seconds: totals.active, hasMore: false };
  }
  const [list, labels] = listsOf(way).flatMap((by) => groups[by] ?? []);
  const labeled = rowsOf(labels).flatMap((row) => (row.key === null ? [] : [{ ...row, isLabel: true }]));
  const ofLabels = labeled.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = rowsOf(list).map((row) => {
    // Stopwatch entries have no title.
    return row.key === null ? { ...row, seconds: row.seconds - ofLabels } : row;
  });
  const seconds = way === "url" || way === "file" ? (list?.seconds ?? 0) : totals.active;
  return {
    ...{ rows: [...rows, ...labeled], seconds },
    hasMore: [list, labels].some((one) => (one?.next ?? MAX_ROWS) < MAX_ROWS),
  };
}

function rowsOf(list: ReportGroup | undefined): readonly { readonly key: string | null; readonly seconds: number }[] {
  return (list?.rows ?? []).map(({ key, seconds }) => ({ key, seconds }));
}

/** Less is a rounding error. */
const LEAST_SECONDS = 0.001;

/** How to combine found groups with a report. */
export interface Counting {
  readonly way: GroupWay;
  /** `undefined` if there is none. */
  readonly report: Promise<Report | undefined>;
  readonly dayAt: (instant: number) => string;
  /** Whether the search found pages and files only, whose time is in the rows of windows. */
  readonly isBesideWindows: boolean;
  /** @default all */
  readonly limit?: number | undefined;
}

/** The groups of a search with the time of a report, longest first. Time that no report has is the search's. */
export function countedOnce(found: ClientSearchRows<FoundGroup>, counting: Counting): ClientSearchRows<FoundGroup> {
  const { way, dayAt, isBesideWindows, limit = Number.POSITIVE_INFINITY } = counting;
  let counted: Partial<ClientSearchSummary> = {};
  async function* read(): AsyncGenerator<FoundGroup, void, undefined> {
    const groups: FoundGroup[] = [];
    for await (const group of found) groups.push(group);
    const report = await counting.report;
    const reported = report && readReport(report, way, dayAt);
    if (reported === undefined || reported.seconds < LEAST_SECONDS) return yield* groups;
    const byKey = new Map(groups.map((group) => [identityOf(group), group]));
    const rows = reported.rows.filter(({ seconds = 0 }) => seconds >= LEAST_SECONDS);
    const known = new Set(reported.rows.map(identityOf));
    // Found in buckets that are not activity.
    const isBeside = isBesideWindows && (way === "title" || way === "app");
    const others = isBeside || reported.hasMore ? [] : groups.filter((group) => !known.has(identityOf(group)));
    const all = [
      ...rows.map((row) => ({ ...byKey.get(identityOf(row)), ...row })),
      ...others.map((group) => ({ ...group, seconds: 0 })),
    ].sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
    counted = { seconds: reported.seconds, groups: reported.hasMore ? Number.POSITIVE_INFINITY : all.length };
    yield* all.slice(0, limit);
  }
  return {
    [Symbol.asyncIterator]: read,
    summary: async () => ({ ...(await found.summary()), ...counted }),
  };
}

function identityOf({ key, isLabel = false }: FoundGroup): string {
  return JSON.stringify([key, isLabel]);
}
