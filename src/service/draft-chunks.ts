import type { EventDraft } from "../domain/event.js";
import { slicesOf } from "../util/slices.js";
import { createTimeSlice } from "../util/time-slice.js";

/** Drafts per write. */
const CHUNK = 2048;

/** Splits drafts of a transaction into chunks; other work runs in between. */
export function chunkDrafts(drafts: readonly EventDraft[]): AsyncGenerator<readonly EventDraft[]> {
  return chunkDraftsFrom(slicesOf(drafts, CHUNK), (slice) => slice);
}

/** Creates drafts from the items of a source, in chunks; other work runs in between. */
export async function* chunkDraftsFrom<Item>(
  source: AsyncIterable<Item> | Iterable<Item>,
  toDrafts: (item: Item) => Iterable<EventDraft>,
): AsyncGenerator<readonly EventDraft[]> {
  const timeSlice = createTimeSlice();
  let drafts: EventDraft[] = [];
  for await (const item of source) {
    for (const draft of toDrafts(item)) drafts.push(draft);
    if (drafts.length < CHUNK) continue;
    yield drafts;
    await timeSlice.yield();
    drafts = [];
  }
  if (drafts.length > 0) yield drafts;
}
