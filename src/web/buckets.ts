import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientBucket } from "../client/index.js";
import { isUnknownHost } from "../domain/unknown-host.js";
import { client } from "./api.js";
import { failedAfter, type Loadable, loadingAfter, shownValue } from "./load.js";
import { loadCurrent } from "./recoveries.js";
import { lastOf, pastLastOf } from "./reporting.js";

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

let reading: Promise<void> | undefined;

/** Loads the buckets. Concurrent calls share one request. Never rejects. */
export function refreshBuckets(): Promise<void> {
  reading ??= read().finally(() => {
    reading = undefined;
  });
  return reading;
}

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

async function read(): Promise<void> {
  buckets.value = loadingAfter(buckets.value);
  try {
    const listed = Object.values(await loadCurrent(() => client.buckets.list()));
    buckets.value = { state: "ready", value: listed.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  } catch (error) {
    buckets.value = failedAfter(buckets.value, error);
  }
}
