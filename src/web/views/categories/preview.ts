// Previews the effect of rules on recent time, from two reports.
import { ALL_CATEGORIES, keyOf, UNCATEGORIZED } from "../../categories.js";
import { type TitleTime, timesOfTitles } from "../../filter/proposals.js";
import type { Report, ReportRequest, ReportRow } from "../../report.js";

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
  /** The time of all titles. */
  readonly titles: readonly TitleTime[];
  /** Seconds by `keyOf` of the category's name, without subcategories. */
  readonly totals: ReadonlyMap<string, number>;
  /** Total in seconds. */
  readonly seconds: number;
}

/** Maximum number of groups to list separately. */
export const MAX_MATCHING = 1000;
const MAX_OTHERS = 50;

/** The lists of both reports: of all time, and of the time that the edited rule matches. */
export const PREVIEW_LISTS: Pick<ReportRequest, "groups" | "limit"> = {
  groups: [ALL_CATEGORIES, "app", "title"],
  limit: MAX_MATCHING,
};

/** @param matching the report by the edited rule; `undefined` if it cannot match */
export function readPreview(all: Report, matching: Report | undefined): Preview {
  const titles = rowsIn(all, "title");
  const matched = rowsIn(matching, "title");
  const isMatched = new Set(matched.map(identityOf));
  return {
    matching: matched.map(titleGroup),
    matchingSeconds: matching?.totals.active ?? 0,
    others: titles
      .filter((row) => !isMatched.has(identityOf(row)))
      .slice(0, MAX_OTHERS)
      .map(titleGroup),
    uncategorizedApps: uncategorized(
      rowsIn(all, "app").map((row) => [row, { ...titleGroup(row), app: row.key ?? undefined, title: undefined }]),
    ),
    uncategorizedTitles: uncategorized(titles.map((row) => [row, titleGroup(row)])),
    titles: timesOfTitles(all),
    totals: new Map(rowsIn(all, "category").map(({ name = [], own = 0 }) => [keyOf(name), own])),
    seconds: all.totals.active,
  };
}

function rowsIn(report: Report | undefined, list: string): readonly ReportRow[] {
  return report?.groups[list]?.rows ?? [];
}

function identityOf({ key, app }: ReportRow): string {
  return JSON.stringify([key, app]);
}

function titleGroup({ key, app, seconds, categories = [] }: ReportRow): Group {
  return {
    ...{ app: app ?? undefined, title: key ?? undefined, duration: seconds },
    category: categories[0]?.name ?? [UNCATEGORIZED],
  };
}

/** Groups with the uncategorized part of their time, the longest first. */
function uncategorized(groups: readonly (readonly [ReportRow, Group])[]): readonly Group[] {
  const found = groups.flatMap(([{ categories = [] }, group]) => {
    const own = categories.find(({ name }) => name.length === 1 && name[0] === UNCATEGORIZED);
    return own === undefined ? [] : [{ ...group, duration: own.seconds, category: own.name }];
  });
  return found.sort((one, other) => other.duration - one.duration);
}
