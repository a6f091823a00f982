// Numbers of events, asked for when a row comes into sight: five hundred buckets are not counted at once.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import { refreshBuckets } from "../../buckets.js";

/** What is known of a bucket's number of events; neither while it is being counted for the first time. */
export interface Count {
  readonly events?: number;
  readonly failure?: unknown;
}

const AT_ONCE = 4;
const known = new Map<string, Signal<Count>>();
/** What each bucket was like when it was counted or queued. */
const asked = new Map<string, string>();
const waiting = new Set<string>();
let running = 0;
const version = signal(0);

/** Changes when buckets are to be counted again: rows in sight ask anew. */
export const countsVersion: ReadonlySignal<number> = version;

/** The number of a bucket's events; it changes when it becomes known. */
export function countOf(bucketId: string): ReadonlySignal<Count> {
  return slotOf(bucketId);
}

function slotOf(bucketId: string): Signal<Count> {
  const slot = known.get(bucketId) ?? signal<Count>({});
  known.set(bucketId, slot);
  return slot;
}

/** Asks for the number of a bucket's events, unless it is known and the bucket looks as it did then. */
export function wantCount({ id, metadata }: ClientBucket): void {
  const state = `${version.peek()} ${metadata.start} ${metadata.end}`;
  if (asked.get(id) === state) return;
  asked.set(id, state);
  waiting.add(id);
  pump();
}

/**
 * Asks for the buckets anew, then for the numbers of those whose rows are in sight. Old ones stay until there are new
 * ones. Never rejects.
 */
export async function recount(): Promise<void> {
  await refreshBuckets();
  version.value++;
}

/** What nobody looks at any more need not be counted; later all is counted anew, since other views change it, too. */
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
  const slot = slotOf(id);
  const state = asked.get(id);
  // What was counted for an older state says nothing of this one.
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
