import { EventBatch } from "../../domain/batch.js";
import type { EventDraft, StoredEvent } from "../../domain/event.js";
import { sameJson } from "../../domain/json.js";
import type { RuleSet } from "../../privacy/rule-set.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";
import { IdMap } from "../../util/id-map.js";
import type { IdSet } from "../../util/id-set.js";
import { createTimeSlice } from "../../util/time-slice.js";
import type { StoredEntry, StoredItem } from "../trash/entry.js";
import { readEventIds } from "../trash/event-ids.js";

/** The restored events, and their counts. */
interface UndoTarget {
  readonly bucketId: string;
  readonly set: RuleSet;
  readonly counts: { kept: number };
}

/** The changes that restore events from before rules were applied to their bucket. */
export async function planRulesUndo(
  view: TransactionView,
  { items }: StoredEntry,
  back: UndoTarget,
): Promise<TransactionChange[]> {
  const { bucketId } = back;
  const changes: TransactionChange[] = [];
  for (const item of items) {
    changes.push({ kind: "putEvents", bucketId, drafts: createDrafts(view, item, back) });
    if (item.hiddenId !== null) changes.push({ kind: "delete", bucketId: item.hiddenId });
  }
  return changes;
}

/** Compares while writing: never keeps more than a batch in memory. */
async function* createDrafts(
  view: TransactionView,
  item: StoredItem,
  { bucketId, set, counts }: UndoTarget,
): AsyncGenerator<readonly EventDraft[]> {
  const timeSlice = createTimeSlice();
  for await (const { batch, getCurrent: lookUp } of readOriginals(view, item, bucketId)) {
    const drafts: EventDraft[] = [];
    for (const original of batch.events()) {
      const outcome = set.outcomeNow(bucketId, original.data) ?? (await set.outcomeInSlices(bucketId, original.data));
      const event = await lookUp(original.id);
      // Its time may have been extended since; other data were changed on purpose.
      if (event === undefined && outcome.kind === "drop") drafts.push(original);
      else if (event !== undefined && outcome.kind === "change" && sameJson(event.data, outcome.data)) {
        drafts.push({ ...event, data: original.data });
      } else counts.kept++;
      await timeSlice.yield();
    }
    if (drafts.length > 0) yield drafts;
  }
}

/** Events that rules have changed, and the current ones with their IDs. */
interface Originals {
  readonly batch: EventBatch;
  getCurrent(id: number): Promise<StoredEvent | undefined>;
}

/** Looks up a few one by one. For many, reads the time range of a batch: most are still there. */
async function* readOriginals(
  view: TransactionView,
  { hiddenId, inline }: StoredItem,
  bucketId: string,
): AsyncGenerator<Originals> {
  const lookUp = (id: number) => view.getEvent(bucketId, id);
  if (hiddenId === null) {
    if (inline.length > 0) yield { batch: EventBatch.from(inline), getCurrent: lookUp };
    return;
  }
  const held = await readEventIds(view, bucketId);
  for await (const batch of (await view.read(hiddenId, { order: "oldest" })).batches) {
    const there = await readCurrent(view, bucketId, { batch, held });
    yield { batch, getCurrent: async (id) => there.get(id) ?? (held.has(id) ? lookUp(id) : undefined) };
  }
}

/** The current events of a batch; without those that were moved out of its time range. */
async function readCurrent(
  view: TransactionView,
  bucketId: string,
  { batch, held }: { readonly batch: EventBatch; readonly held: IdSet },
): Promise<IdMap<StoredEvent>> {
  const found = new IdMap<StoredEvent>();
  const wanted = new Set(batch.ids?.filter((id) => held.has(id)));
  if (wanted.size === 0) return found;
  const timeSlice = createTimeSlice();
  const range = { start: batch.timestamps[0] as number, end: batch.timestamps[batch.length - 1] as number };
  for await (const now of (await view.read(bucketId, { ...range, order: "oldest" })).batches) {
    for (let row = 0; row < now.length; row++) {
      const id = now.ids?.[row] as number;
      if (wanted.has(id)) found.set(id, now.eventAt(row) as StoredEvent);
    }
    await timeSlice.yield();
  }
  return found;
}
