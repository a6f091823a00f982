// Lists and breaks of bins.
import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import type { Steps } from "../transforms/steps.js";
import type { Activity } from "./activity.js";
import type { AppNames } from "./app-names.js";
import { breaksInBins, type ListEvents, listInBins } from "./bins.js";
import { type Group, hasApps, isTitle, type Plan } from "./request.js";
import { type BinExtras, eventsOfList, keyOf, type SummaryWishes } from "./summary.js";
import { type CategoryOf, identityOf } from "./sums.js";

/** The events of a period. */
export interface PeriodEvents {
  readonly all: Activity;
  /** Events of other buckets by type. */
  readonly types: ReadonlyMap<string, EventBatch>;
  /** All activity whatever the filter. */
  readonly presence: EventBatch;
}

/** What bins have besides their times. */
export interface ExtraWishes {
  readonly groups: readonly Group[];
  /** Borders of the bins. */
  readonly borders: readonly Micros[];
  /** `undefined` = no breaks. */
  readonly shortestBreak: Micros | undefined;
  readonly categoryOf: CategoryOf;
  readonly appNames: AppNames;
}

/** Whether bins have lists or breaks. */
export function hasExtras({ by, groups, shortestBreak }: Plan): boolean {
  return by !== undefined && (shortestBreak !== undefined || groups.some(({ inBins }) => inBins));
}

/**
 * The lists and breaks that parts of a period have as in the whole; `undefined` if bins have none, or can be longer
 * than a part. The names of an app in the whole period decide which one its rows have.
 */
export function extrasOfParts(plan: Plan): SummaryWishes["extras"] {
  const { by, groups, shortestBreak } = plan;
  if (!hasExtras(plan) || (by !== "hour" && by !== "day")) return undefined;
  return groups.some((group) => group.inBins && hasApps(group)) ? undefined : { groups, shortestBreak };
}

/** Cuts the lists of parts, as `extrasInBins` does. */
export function* cutExtras(
  extras: readonly BinExtras[],
  groups: readonly Group[],
  room: { characters: number },
): Steps<readonly BinExtras[]> {
  const cut = extras.map(({ lists, ...rest }) => ({ ...(lists && { lists: { ...lists } }), ...rest }));
  for (const { name } of groups) {
    for (const { lists } of cut) {
      const list = lists?.[name];
      if (lists === undefined || list === undefined) continue;
      const end = list.rows.findIndex(({ key, app, name }) => {
        const id = name ? JSON.stringify(name) : identityOf({ key, app: app ?? null });
        room.characters -= id.length;
        return room.characters < 0;
      });
      if (end >= 0) lists[name] = { ...list, rows: list.rows.slice(0, end) };
      yield;
    }
  }
  return cut;
}

/** @param room for keys that all lists share */
export function* extrasInBins(
  events: PeriodEvents,
  wishes: ExtraWishes,
  room: { characters: number },
): Steps<BinExtras[]> {
  const { groups, borders, shortestBreak } = wishes;
  const lists: [name: string, bins: readonly object[]][] = [];
  for (const group of groups) {
    // The list of hosts has no events of its own.
    if (!group.inBins || group.source.kind === "host") continue;
    lists.push([group.name, yield* listInBins(listEvents(group, events, wishes), borders, group, room)]);
  }
  const breaks = shortestBreak === undefined ? undefined : yield* breaksInBins(events.presence, borders, shortestBreak);
  return borders.slice(1).map((_, bin) => ({
    ...(lists.length > 0 && { lists: Object.fromEntries(lists.map(([name, bins]) => [name, bins[bin]])) }),
    ...(breaks && { breaks: breaks[bin] ?? [] }),
  })) as BinExtras[];
}

function listEvents(group: Group, given: PeriodEvents, { groups, categoryOf, appNames }: ExtraWishes): ListEvents {
  const { kind } = group.source;
  const events = eventsOfList(group, given);
  if (kind === "category") return { events, categoryOf };
  const hasCategories = kind === "windows" && groups.some(({ source }) => source.kind === "category");
  const apps = hasApps(group) ? { names: appNames, isTitle: isTitle(group) } : undefined;
  return { events, keyOf: keyOf(group), categoryOf: hasCategories ? categoryOf : undefined, apps };
}
