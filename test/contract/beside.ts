import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage/storage.js";
import { bucketOf, idsOf, read, type Stage, withBucket } from "./case.js";
import { same, sameBuckets, sameEvent, sameEvents } from "./check.js";
import { Reference } from "./reference.js";

/** The bucket of the scenarios that keep a reference beside the storage. */
export const BUCKET = "window";

/** Demands that every kind of read answers as the reference does. */
async function expectAll(storage: Storage, reference: Reference, what: string): Promise<void> {
  sameBuckets("visible", await storage.listBuckets(), reference.listBuckets(), what);
  sameBuckets("visible", await storage.summaries(), reference.summaries(), what);
  for (const { id } of reference.listBuckets()) {
    const expected = reference.sorted(id);
    sameEvents("readOrder", await read(storage, id, { order: "oldest" }), expected, what);
    sameEvents("readOrder", await read(storage, id), [...expected].reverse(), `${what}, newest first`);
    same("countEvents", await storage.countEvents(id), expected.length, `${what}: count`);
    const step = Math.max(1, Math.floor(expected.length / 60));
    for (let index = 0; index < expected.length; index += step) {
      const event = expected[index] as StoredEvent;
      sameEvent("getEvent", await storage.getEvent(id, event.id), event, `${what}: getEvent`);
      const range: EventRange = {
        start: event.timestamp,
        end: event.timestamp + Math.max(0, event.duration),
        limit: 20,
      };
      sameEvents("read", await read(storage, id, range), reference.read(id, range), `${what}: around it`);
      const from = { start: event.timestamp };
      const count = await storage.countEvents(id, from);
      same("countEvents", count, reference.countEvents(id, from), `${what}: count from it on`);
    }
  }
}

/** A stage with one bucket and a reference that is kept beside it. */
export async function open(stage: Stage): Promise<Reference> {
  await withBucket(stage, BUCKET);
  const reference = new Reference();
  reference.createBucket(bucketOf(BUCKET));
  return reference;
}

/** Puts drafts into both, and demands the same answer. */
export async function put(
  stage: Stage,
  reference: Reference,
  drafts: readonly EventDraft[],
  id: string = BUCKET,
): Promise<void> {
  const stored = await stage.storage.putEvents(id, drafts);
  sameEvents("putResult", stored, reference.putEvents(id, drafts, idsOf(stored)), "answer of putEvents");
}

/** Demands that both hold the same, now and after a reopening. */
export async function finish(stage: Stage, reference: Reference, what: string): Promise<void> {
  await stage.alsoReopened((storage) => expectAll(storage, reference, what));
}
