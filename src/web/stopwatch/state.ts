// Stopwatch entries, for the view and the strip.
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { NewEvent } from "../../client/client-types.js";
import { client } from "../api.js";
import { knownBuckets, reloadBuckets } from "../buckets.js";
import { type Loadable, shownValue } from "../load.js";
import { loadInto } from "../shared-load.js";
import { type Entry, readEntries, STOPWATCH, STOPWATCH_BUCKET } from "./entries.js";

/** Number of entries to load at a time, as in ActivityWatch's web UI. */
export const ENTRIES = 100;

export const entries: Signal<Loadable<readonly Entry[]>> = signal({ state: "loading" });

/** Number of entries requested last. */
export const asked: Signal<number> = signal(ENTRIES);

/** Running entries. */
export const running: ReadonlySignal<readonly Entry[]> = computed(() =>
  (shownValue(entries.value) ?? []).filter(({ isRunning }) => isRunning),
);

/** State of the bucket at the last load. While it is unchanged, nothing is loaded. */
let seen = "";

/** Loads the entries. Never rejects. */
export async function loadEntries(most: number = asked.value): Promise<void> {
  asked.value = most;
  const state = stateOfBucket();
  await loadInto(entries, async () => {
    const events = state === "" ? [] : await client.events.list(STOPWATCH_BUCKET, { limit: most });
    seen = state;
    return readEntries(events);
  });
}

/** Loads the entries if the bucket has changed. Never rejects. */
export async function refreshEntries(): Promise<void> {
  if (stateOfBucket() !== seen) await loadEntries();
}

function stateOfBucket(): string {
  const bucket = knownBuckets.value.find(({ id }) => id === STOPWATCH_BUCKET);
  return bucket === undefined ? "" : JSON.stringify([bucket.metadata, bucket.last_updated]);
}

/** Stores an entry. @returns its ID; `null` if a privacy rule dropped it @throws ActivityClientError */
export async function storeEntry(event: NewEvent): Promise<number | null> {
  await client.buckets.create(STOPWATCH_BUCKET, STOPWATCH);
  const { id } = await client.events.insert(STOPWATCH_BUCKET, event);
  await reread();
  return id;
}

/** Reloads the bucket and its entries. Never rejects. */
export async function reread(): Promise<void> {
  await reloadBuckets();
  await loadEntries();
}
