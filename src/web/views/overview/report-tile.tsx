import type { JSX } from "preact";
import { createColors } from "../../category-colors.js";
import { effectiveCategories } from "../../category-state.js";
import { datesOf } from "../../csv.js";
import { addCondition } from "../../filter/handle.js";
import { goals } from "../../goals-state.js";
import { Failure } from "../../parts/failure.js";
import { Skeleton } from "../../parts/skeleton.js";
import type { Calendar } from "../../period.js";
import { routeOfPeriod } from "../../period.js";
import { href, type Params } from "../../router.js";
import { common } from "../../texts/common.js";
import { scheme } from "../../theme.js";
import { barsOf, upTo } from "../activity/bars.js";
import { CategoryMap, Trend } from "../activity/charts.js";
import { describeComparison } from "../activity/describe-comparison.js";
import type { Displayed, LoadedReport } from "../activity/displayed.js";
import { Goals } from "../activity/goals.js";
import { Hours } from "../activity/hours.js";
import { panelOf } from "../activity/lists.js";
import { Lines } from "../activity/panel.js";
import { previousPeriod, previousSums } from "../activity/previous-period.js";
import { ActiveTime, FirstAndLast, Focus } from "../activity/tiles.js";
import type { TilePart } from "./pages.js";
import { requestOf, type TileSource } from "./source.js";

export interface ReportTileProps {
  readonly part: Exclude<TilePart, "query" | "timesheet">;
  readonly source: TileSource;
  readonly shown: Displayed | undefined;
  readonly calendar: Calendar;
  readonly now: number;
}

/** A part of a report. */
export function ReportTile({ part, source, shown, calendar, now }: ReportTileProps): JSX.Element {
  if (shown?.failure !== undefined) return <Failure title={common("notLoaded")} {...shown.failure} />;
  const value = shown?.value;
  if (value === undefined || !isIn(value, part)) return <Skeleton lines={NUMBERS.has(part) ? 2 : 6} />;
  return (
    <div class="activity-numbers" data-old={shown?.isOld} aria-busy={shown?.isOld}>
      <Part {...{ part, source, calendar, now, value }} />
    </div>
  );
}

const NUMBERS: ReadonlySet<TilePart> = new Set(["active", "goals", "focus", "extent"]);

/** Whether a report has a part: the one that is shown may be of the time before the tile was added. */
function isIn({ report: { groups, bins } }: LoadedReport, part: TilePart): boolean {
  if (part === "hours" || part === "trend") return bins.length > 0;
  const list = part === "areas" ? "category" : part === "distraction" ? "distracting app" : part;
  return NUMBERS.has(part) || list in groups;
}

interface PartProps extends Omit<ReportTileProps, "shown"> {
  readonly value: LoadedReport;
}

function Part({ part, source, calendar, now, value: { report, period } }: PartProps): JSX.Element {
  const { hosts, filter } = source;
  const params: Params = { host: hosts.kind === "one" ? hosts.host : undefined };
  const before = previousPeriod(period, calendar);
  const until = report.compared ? Date.parse(report.compared.end) : before.end;
  const compared = describeComparison(before, until, period, calendar);
  const colors = createColors(effectiveCategories.value, scheme.value === "dark");
  const isDay = period.first === period.last;
  const { totals } = report;
  const linkTo = (handle: string): string => href(routeOfPeriod(period), params, addCondition(filter, handle));
  switch (part) {
    case "active":
      return (
        <div class="activity-tile">
          <ActiveTime {...{ report, compared, isDay }} dataFrom={undefined} />
        </div>
      );
    case "goals":
      return (
        <div class="activity-tile">
          <Goals goals={goals.value} {...{ report, period }} />
        </div>
      );
    case "focus":
      return (
        <div class="activity-tile">
          <Focus {...{ totals, calendar, isDay, params, filter }} />
        </div>
      );
    case "extent":
      return (
        <div class="activity-tile">
          <FirstAndLast {...{ totals, calendar, isDay }} />
        </div>
      );
    case "hours":
    case "trend": {
      const bars = barsOf(report.bins, period, calendar);
      const past = report.compared && upTo(barsOf(report.compared.bins, before, calendar), until);
      const { zone } = calendar;
      const shared = { bars, period, zone, colors, params, filter };
      if (part === "trend") return <Trend {...shared} before={past} now={now} />;
      return <Hours {...shared} ghosts={past && previousSums(bars.parts, past, zone)} />;
    }
    case "areas":
      return <CategoryMap group={report.groups["category"]} whole={totals.active} {...{ colors, linkTo }} />;
    default: {
      const request = requestOf(source, new Set([part]), calendar);
      const panel = panelOf(part, { report, request, hosts, colors, compared, dates: datesOf(period) });
      return <Lines {...panel} linkTo={linkTo} />;
    }
  }
}
