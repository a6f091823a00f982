// Lists and breaks of bins, which need the events of the whole period.
import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import type { Steps } from "../transforms/steps.js";
import type { Activity } from "./activity.js";
import type { AppNames } from "./app-names.js";
import { breaksInBins, type ListEvents, listInBins } from "./bins.js";
import type { BinExtras } from "./part.js";
import { type Group, hasApps, isTitle } from "./request.js";
import { eventsOfList, keyOf } from "./summary.js";
import type { CategoryOf } from "./sums.js";

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
