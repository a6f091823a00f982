// What tiles show: the period, devices and filter of each, and the reports that they share. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { periodOf } from "../../carried-period.js";
import { ROW_CATEGORIES } from "../../categories.js";
import {
  type Calendar,
  dayAt,
  type Period,
  periodAround,
  periodOfRoute,
  rangeOf,
  routeOfPeriod,
} from "../../period.js";
import { type ReportRequest, reportRequest } from "../../report.js";
import { href, parsePlace } from "../../router.js";
import { addressOf, type SavedView } from "../../saved-views/views.js";
import { addDays } from "../../wall-clock.js";
import { binsFor } from "../activity/bars.js";
import { defaultHosts, type Hosts, hostsOf } from "../activity/hosts.js";
import { namedPeriod } from "../activity/previous-period.js";
import { LIST_PARTS, requestedGroups } from "../activity/requested.js";
import type { Tile, TilePart, TilePeriod } from "./pages.js";

/** The period, devices and filter of a tile. */
export interface TileSource {
  readonly period: Period;
  readonly hosts: Hosts;
  readonly filter: readonly string[];
  /** The link to everything about it. */
  readonly address: string;
}

interface Context {
  readonly calendar: Calendar;
  /** Unix milliseconds. */
  readonly now: number;
  readonly buckets: readonly ClientBucket[];
  readonly views: readonly SavedView[];
}

/** The period of a choice. */
export function tilePeriod(choice: TilePeriod, calendar: Calendar, now: number): Period {
  const today = dayAt(now, calendar);
  const before = (kind: "week" | "month"): Period =>
    periodAround(kind, addDays(periodAround(kind, today, calendar).first, -1), calendar);
  switch (choice) {
    case "today":
      return periodAround("day", today, calendar);
    case "yesterday":
      return periodAround("day", addDays(today, -1), calendar);
    case "last_week":
      return before("week");
    case "last_month":
      return before("month");
    case "30d":
      return namedPeriod(rangeOf(addDays(today, -29), today, calendar), calendar);
    default:
      return periodAround(choice, today, calendar);
  }
}

/** The source of a tile; `undefined` if its saved view no longer exists, or nothing reports. */
export function sourceOf(tile: Tile, { calendar, now, buckets, views }: Context): TileSource | undefined {
  if (tile.view === undefined) {
    const { host, filter } = tile;
    const period = tilePeriod(tile.period, calendar, now);
    const hosts: Hosts | undefined = host === undefined ? defaultHosts(buckets) : { kind: "one", host };
    return hosts && { period, hosts, filter, address: href(routeOfPeriod(period), { host }, filter) };
  }
  const view = views.find(({ name }) => name === tile.view);
  if (view === undefined) return undefined;
  const address = addressOf(view, calendar, now);
  const place = parsePlace(address);
  const period = periodOf(place) ?? periodOfRoute([], calendar, now);
  const hosts = hostsOf(place.params, buckets);
  return period && hosts && { period, hosts, filter: place.params.getAll("f"), address };
}

/** Identifies the report of a source. */
export function sourceKey({ period: { first, last, kind }, hosts, filter }: TileSource): string {
  return JSON.stringify([kind, first, last, hosts, filter]);
}

/** The request of one report for all tiles with the same source. */
export function requestOf(
  { period, hosts, filter }: TileSource,
  parts: ReadonlySet<TilePart>,
  calendar: Calendar,
): ReportRequest {
  const lists = requestedGroups(
    LIST_PARTS.filter((part) => parts.has(part)),
    filter.length > 0,
  );
  return {
    ...reportRequest(period, calendar, hosts, filter),
    ...(parts.has("hours") && { by: binsFor(period, calendar) }),
    groups: parts.has("category") ? lists : [ROW_CATEGORIES, ...lists],
    compare: "previous",
  };
}
