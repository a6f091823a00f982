// The entries of the stopwatch, for its view and for the strip.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { NewEvent } from "../../client/client-types.js";
import { client } from "../api.js";
import { knownBuckets, refreshBuckets } from "../buckets.js";
import { failedAfter, type Loadable, loadingAfter, shownOf } from "../load.js";
import { type Entry, readEntries, STOPWATCH, STOPWATCH_BUCKET } from "./entries.js";

/** Entries that are read to begin with, and how many more at a time: as many as the official UI reads. */
export const ENTRIES = 100;

export const entries: Signal<Loadable<readonly Entry[]>> = signal({ state: "loading" });

/** How many were asked for last. */
export const asked: Signal<number> = signal(ENTRIES);

/** What is being timed. */
export const running: ReadonlySignal<readonly Entry[]> = computed(() =>
  (shownOf(entries.value) ?? []).filter(({ isRunning }) => isRunning),
);

/** What the bucket was when it was read: as long as that is the same nothing is read again. */
let seen = "";

/** Reads the entries. Never rejects. */
export async function loadEntries(most: number = asked.value): Promise<void> {
  asked.value = most;
  entries.value = loadingAfter(entries.value);
  const state = stateOfBucket();
  try {
    const events = state === "" ? [] : await client.events.list(STOPWATCH_BUCKET, { limit: most });
    entries.value = { state: "ready", value: readEntries(events) };
    seen = state;
  } catch (error) {
    entries.value = failedAfter(entries.value, error);
  }
}

/** The same where the bucket has changed since. */
export async function refreshEntries(): Promise<void> {
  if (stateOfBucket() !== seen) await loadEntries();
}

function stateOfBucket(): string {
  const bucket = knownBuckets.value.find(({ id }) => id === STOPWATCH_BUCKET);
  return bucket === undefined ? "" : JSON.stringify([bucket.metadata, bucket.last_updated]);
}

/** Stores an entry. @throws ActivityClientError */
export async function storeEntry(event: NewEvent): Promise<void> {
  await client.buckets.create(STOPWATCH_BUCKET, STOPWATCH);
  await client.events.insert(STOPWATCH_BUCKET, event);
  await reread();
}

/** Reads the bucket and its entries anew. Never rejects. */
export async function reread(): Promise<void> {
  await refreshBuckets();
  await loadEntries();
}
