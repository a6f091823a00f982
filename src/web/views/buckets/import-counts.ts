import type { ImportCounts } from "../../../client/index.js";
import { t } from "../../texts/buckets.js";

/** Sums the counts of several documents. */
export function summed(all: readonly ImportCounts[]): ImportCounts {
  const sum = (name: keyof ImportCounts): number => all.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const dropped = sum("events_dropped");
  const changed = sum("events_changed");
  return {
    ...(dropped === 0 ? {} : { events_dropped: dropped }),
    ...(changed === 0 ? {} : { events_changed: changed }),
    buckets_created: sum("buckets_created"),
    buckets_merged: sum("buckets_merged"),
    events_imported: sum("events_imported"),
    events_already_there: sum("events_already_there"),
    events_invalid: sum("events_invalid"),
  };
}

/** The counts as lines; privacy rules only if they are not zero. */
export function countLines(counts: ImportCounts): readonly (readonly [label: string, count: number])[] {
  const { events_dropped = 0, events_changed = 0 } = counts;
  return [
    [t("bucketsCreated"), counts.buckets_created],
    [t("bucketsThere"), counts.buckets_merged],
    [t("eventsImported"), counts.events_imported],
    [t("eventsThere"), counts.events_already_there],
    [t("eventsInvalid"), counts.events_invalid],
    ...(events_dropped === 0 ? [] : ([[t("eventsDropped"), events_dropped]] as const)),
    ...(events_changed === 0 ? [] : ([[t("eventsChanged"), events_changed]] as const)),
  ];
}
