import type { ImportCounts } from "../../../client/client-types.js";

/** Posts of several documents as one. */
export function summed(all: readonly ImportCounts[]): ImportCounts {
  const sum = (name: keyof ImportCounts): number => all.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  const dropped = sum("events_dropped");
  return {
    ...(dropped === 0 ? {} : { events_dropped: dropped }),
    buckets_created: sum("buckets_created"),
    buckets_merged: sum("buckets_merged"),
    events_imported: sum("events_imported"),
    events_already_there: sum("events_already_there"),
    events_invalid: sum("events_invalid"),
  };
}
