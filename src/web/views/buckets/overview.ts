import type { ClientBucket } from "../../../client/index.js";
import { MICROS_PER_SECOND, SECONDS_PER_DAY } from "../../../domain/time.js";
import { caseless } from "../../../util/composed.js";
import { microsOf } from "./event-page.js";

/** Sort keys of the list. */
export type BucketOrder = "id" | "type" | "client" | "first" | "last" | "events" | "rate";

/** Sort key and direction. */
export interface BucketSort {
  readonly by: BucketOrder;
  readonly descending: boolean;
}

/** Buckets of one host. */
export interface HostGroup {
  readonly host: string;
  readonly buckets: readonly ClientBucket[];
}

/** Events per day in the time range of a bucket, which counts as at least one day; `undefined` for an empty one. */
export function eventsPerDay({ metadata }: ClientBucket, count: number): number | undefined {
  if (metadata.start === null || metadata.end === null) return undefined;
  const days = (microsOf(metadata.end) - microsOf(metadata.start)) / (SECONDS_PER_DAY * MICROS_PER_SECOND);
  return count / Math.max(1, days);
}

/** Buckets whose fields contain all words of a filter, ignoring case. */
export function matching(buckets: readonly ClientBucket[], filter: string): readonly ClientBucket[] {
  const words = caseless(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return buckets;
  return buckets.filter(({ id, name, type, client, hostname }) => {
    const text = caseless([id, name ?? "", type, client, hostname].join("\n"));
    return words.every((word) => text.includes(word));
  });
}

/**
 * Buckets by host, hosts by name.
 *
 * @param counts known numbers of events by bucket ID; unknown ones are last
 */
export function hostGroups(
  buckets: readonly ClientBucket[],
  sort: BucketSort,
  counts: ReadonlyMap<string, number> = new Map(),
): readonly HostGroup[] {
  const groups = new Map<string, ClientBucket[]>();
  for (const bucket of buckets) {
    const group = groups.get(bucket.hostname);
    if (group === undefined) groups.set(bucket.hostname, [bucket]);
    else group.push(bucket);
  }
  const compare = comparison(sort, counts);
  return [...groups]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([host, members]) => ({ host, buckets: members.sort(compare) }));
}

function comparison({ by, descending }: BucketSort, counts: ReadonlyMap<string, number>) {
  const direction = descending ? -1 : 1;
  const key = (bucket: ClientBucket): string | number | undefined => keyOf(bucket, by, counts.get(bucket.id));
  return (a: ClientBucket, b: ClientBucket): number => {
    const [left, right] = [key(a), key(b)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined) || compareNames(a.id, b.id);
    }
    const order =
      typeof left === "number" && typeof right === "number" ? left - right : compareNames(String(left), String(right));
    return order * direction || compareNames(a.id, b.id);
  };
}

function keyOf(bucket: ClientBucket, by: BucketOrder, count: number | undefined): string | number | undefined {
  const { start, end } = bucket.metadata;
  switch (by) {
    case "first":
      return start === null ? undefined : microsOf(start);
    case "last":
      return end === null ? undefined : microsOf(end);
    case "events":
      return count;
    case "rate":
      return count === undefined ? undefined : eventsPerDay(bucket, count);
    default:
      return bucket[by];
  }
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares by the language's rules, with a fallback for strings that these treat as equal. */
function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}
