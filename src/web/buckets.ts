import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientBucket } from "../client/index.js";
import { isUnknownHost } from "../domain/unknown-host.js";
import { client } from "./api.js";
import { type Loadable, shownValue } from "./load.js";
import { lastOf, pastLastOf } from "./reporting.js";
import { type SharedLoad, shareLoad } from "./shared-load.js";

/** All buckets of the server, by ID. */
export const buckets: Signal<Loadable<readonly ClientBucket[]>> = signal({ state: "loading" });

/** The last known buckets, even during a reload. */
export const knownBuckets: ReadonlySignal<readonly ClientBucket[]> = computed(() => shownValue(buckets.value) ?? []);

/** Hosts with buckets, the most recently active first; pseudo-hosts, such as the stopwatch's, are last. */
export const hosts: ReadonlySignal<readonly string[]> = computed(() => {
  const newest = new Map<string, number>();
  const now = Date.now();
  for (const bucket of knownBuckets.value) {
    newest.set(bucket.hostname, Math.max(newest.get(bucket.hostname) ?? 0, pastLastOf(bucket, now)));
  }
  const rank = (host: string): number => (isUnknownHost(host) ? 1 : 0);
  return [...newest]
    .sort(([a, left], [b, right]) => rank(a) - rank(b) || right - left || (a < b ? -1 : 1))
    .map(([host]) => host);
});

const shared = shareLoad(buckets, async () => {
  const listed = Object.values(await client.buckets.list());
  return listed.sort((a, b) => (a.id < b.id ? -1 : 1));
});
/** Loads the buckets. After a write, use `reloadBuckets`: a request that was sent before the write may lack it. */
export const refreshBuckets: SharedLoad["load"] = shared.load;
export const reloadBuckets: SharedLoad["reload"] = shared.reload;

/** A range of time in Unix milliseconds. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Notes that buckets have events, by bucket ID, without a request. */
export function extendBuckets(extents: ReadonlyMap<string, Extent>): void {
  const before = buckets.value;
  if (before.state !== "ready") return;
  const value = before.value.map((bucket): ClientBucket => {
    const { start = Number.POSITIVE_INFINITY, end = Number.NEGATIVE_INFINITY } = extents.get(bucket.id) ?? {};
    const metadata = { ...bucket.metadata };
    if (start < (Date.parse(metadata.start ?? "") || Number.POSITIVE_INFINITY)) metadata.start = printMillis(start);
    if (end > lastOf(bucket)) metadata.end = printMillis(end);
    return { ...bucket, metadata, last_updated: metadata.end };
  });
  buckets.value = { state: "ready", value };
}

function printMillis(millis: number): string {
  return new Date(millis).toISOString();
}
