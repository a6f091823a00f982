// Numbers of events, loaded when a row becomes visible, since counting hundreds of buckets is slow.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import { reloadBuckets } from "../../buckets.js";

/** Known number of a bucket's events. Both members are undefined during the first count. */
export interface Count {
  readonly events?: number;
  readonly failure?: unknown;
}

const AT_ONCE = 4;
const known = new Map<string, Signal<Count>>();
/** State of each bucket when it was counted or queued. */
const asked = new Map<string, string>();
const waiting = new Set<string>();
let running = 0;
const version = signal(0);

/** Changes when buckets must be counted again: visible rows then request it. */
export const countsVersion: ReadonlySignal<number> = version;

/** The number of a bucket's events. It updates when it is loaded. */
export function countOf(bucketId: string): ReadonlySignal<Count> {
  return openSlot(bucketId);
}

function openSlot(bucketId: string): Signal<Count> {
  const slot = known.get(bucketId) ?? signal<Count>({});
  known.set(bucketId, slot);
  return slot;
}

/** Requests the number of a bucket's events, unless it is known and the bucket is unchanged. */
export function wantCount({ id, metadata }: ClientBucket): void {
  const state = `${version.peek()} ${metadata.start} ${metadata.end}`;
  if (asked.get(id) === state) return;
  asked.set(id, state);
  waiting.add(id);
  pump();
}

/** Reloads the buckets, then the counts of visible rows. Previous values stay visible. Never rejects. */
export async function recount(): Promise<void> {
  await reloadBuckets();
  version.value++;
}

/** Cancels counts of hidden rows. Everything is counted again later, since other views change it as well. */
export function dropWaiting(): void {
  version.value++;
  for (const id of waiting) asked.delete(id);
  waiting.clear();
}

function pump(): void {
  while (running < AT_ONCE && waiting.size > 0) {
    const [id] = waiting;
    if (id === undefined) return;
    waiting.delete(id);
    running++;
    void count(id).finally(() => {
      running--;
      pump();
    });
  }
}

async function count(id: string): Promise<void> {
  const slot = openSlot(id);
  const state = asked.get(id);
  // Ignores counts of an older state.
  const isOld = (): boolean => asked.get(id) !== state;
  try {
    const events = await client.events.count(id);
    if (!isOld()) slot.value = { events };
  } catch (error) {
    if (isOld()) return;
    slot.value = { ...slot.value, failure: error };
    asked.delete(id);
  }
}
