// What tiles show: the period, devices and filter of each, and the reports that they share.
import type { ClientBucket } from "../../../client/index.js";
import { periodOf } from "../../carried-period.js";
import { ROW_CATEGORIES } from "../../categories.js";
import { type Calendar, type Period, periodOfRoute, routeOfPeriod } from "../../period.js";
import { type ReportRequest, reportRequest } from "../../report.js";
import { href, parsePlace } from "../../router.js";
import { addressOf, type SavedView } from "../../saved-views/views.js";
import { binsFor } from "../activity/bars.js";
import { defaultHosts, type Hosts, hostsOf } from "../activity/hosts.js";
import { LIST_PARTS, requestedGroups } from "../activity/requested.js";
import { conditionsOf, type Tile, type TilePart } from "./pages.js";
import { tilePeriod } from "./tile-period.js";

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

/** The source of a tile; `undefined` if its saved view no longer exists, or nothing reports. */
export function sourceOf(tile: Tile, { calendar, now, buckets, views }: Context): TileSource | undefined {
  if (tile.view === undefined) {
    const { host } = tile;
    const filter = conditionsOf(tile, []);
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
  return period && hosts && { period, hosts, filter: conditionsOf(tile, place.params.getAll("f")), address };
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
  const hasCategories = parts.has("category") || parts.has("areas");
  const lists = requestedGroups(
    LIST_PARTS.filter((part) => (part === "category" ? hasCategories : parts.has(part))),
    filter.length > 0,
  );
  return {
    ...reportRequest(period, calendar, hosts, filter),
    ...((parts.has("hours") || parts.has("trend")) && { by: binsFor(period, calendar) }),
    groups: hasCategories ? lists : [ROW_CATEGORIES, ...lists],
    compare: "previous",
  };
}
