import type { BucketPatch } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { bucketOf, idsOf, intOf, read } from "../contract/case.js";
import { same, sameEvent, sameEvents } from "../contract/check.js";
import { DATA, VALUES } from "../contract/values.js";
import { ask, attempt, BUCKET_IDS, bucketIn, draftIn, idIn, pick, type Run, type Step } from "./model-run.js";

/** Creates a bucket, with events or without, where there is none of its id. */
export const create: Step = async (run) => {
  const bucket = bucketOf(pick(run, BUCKET_IDS), { created: run.now, name: run.random() < 0.5 ? null : "named" });
  const size = run.random() < 0.5 ? 0 : intOf(run.random, 1, run.random() < 0.2 ? 1_500 : 20);
  const drafts = Array.from({ length: size }, () => draftIn(run));
  const what = `create ${JSON.stringify(bucket.id)} with ${size} events`;
  const outcome = await attempt(run, what, (storage) => storage.createBucket(bucket, drafts));
  if (outcome === undefined) return;
  const { answer } = outcome;
  const expected = run.reference.createBucket(bucket, drafts, idsOf(answer ?? []));
  same("createTaken", answer === undefined, expected === undefined, "a taken id");
  sameEvents("createBucket", answer ?? [], expected ?? [], "events of the creation");
};

/** Changes a field of a bucket. */
export const update: Step = async (run) => {
  const id = pick(run, BUCKET_IDS);
  const patch: BucketPatch = run.random() < 0.5 ? { data: pick(run, DATA) } : { client: `at ${run.now}` };
  const outcome = await attempt(run, `update ${JSON.stringify(id)}`, (storage) => storage.updateBucket(id, patch));
  if (outcome === undefined) return;
  same("updateBucket", outcome.answer, run.reference.updateBucket(id, patch), "update");
};

/** Deletes a bucket. */
export const drop: Step = async (run) => {
  const id = pick(run, BUCKET_IDS);
  const outcome = await attempt(run, `delete bucket ${JSON.stringify(id)}`, (storage) => storage.deleteBucket(id));
  if (outcome === undefined) return;
  same("deleteBucket", outcome.answer, run.reference.deleteBucket(id), "deletion");
};

/** Puts drafts, some of them with ids. */
export function putting(least: number, most: number, idShare: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const drafts = Array.from({ length: intOf(run.random, least, most) }, () => {
      const draft = draftIn(run);
      return run.random() < idShare ? { ...draft, id: idIn(run, bucketId) } : draft;
    });
    const answer = await ask(run, `put ${drafts.length}`, bucketId, (storage) => storage.putEvents(bucketId, drafts));
    if (answer === undefined) return;
    const expected = run.reference.putEvents(bucketId, drafts, idsOf(answer));
    sameEvents("putResult", lastOfEachId(answer), lastOfEachId(expected), "answer of putEvents");
  };
}

/** Of drafts with one id the stored one is the last. */
function lastOfEachId(events: readonly StoredEvent[]): StoredEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** Merges drafts, about half of which the bucket holds. */
export function merging(most: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const own = run.reference.hasBucket(bucketId) ? run.reference.sorted(bucketId) : [];
    const drafts = Array.from({ length: intOf(run.random, 0, most) }, () =>
      own.length > 0 && run.random() < 0.5 ? pick(run, own) : draftIn(run),
    );
    const what = `merge ${drafts.length}`;
    const before = new Set(idsOf(own));
    const count = await ask(run, what, bucketId, (storage) => storage.mergeEvents(bucketId, drafts));
    if (count === undefined) return;
    const expected = run.reference.newOf(bucketId, drafts);
    same("mergeResult", count, expected.length, what);
    if (count > 0) await adoptMerged(run, bucketId, before);
    sameEvents(
      "mergeEvents",
      await read(run.storage(), bucketId, { order: "oldest" }),
      run.reference.sorted(bucketId),
      what,
    );

    /** New events are told by their ids; which of them has which id is up to the storage. */
    async function adoptMerged({ storage, reference }: Run, id: string, known: ReadonlySet<number>): Promise<void> {
      const fresh = (await read(storage(), id)).filter((event) => !known.has(event.id)).sort((a, b) => a.id - b.id);
      const stored = reference.putEvents(
        id,
        fresh.map(({ id: _, ...draft }) => draft),
        idsOf(fresh),
      );
      const key = ({ timestamp, duration, data }: EventDraft): string => JSON.stringify([timestamp, duration, data]);
      same("mergeEvents", stored.map(key).sort(), expected.map(key).sort(), "events that were new");
    }
  };
}

/** Beats one after the other, or all at once. */
export function beating(count: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const pulsetime = pick(run, [0, 30, 100, -1]);
    const beats = Array.from({ length: count }, () => {
      run.now += intOf(run.random, 0, 60);
      const late = run.random() < 0.1 ? intOf(run.random, 0, run.now) : 0;
      return {
        timestamp: run.now - late,
        duration: intOf(run.random, -1, 20),
        data: { label: intOf(run.random, 1, 2) },
      };
    });
    const answers = await Promise.all(
      beats.map((beat) =>
        ask(run, `${count} heartbeats`, bucketId, (storage) => storage.heartbeat(bucketId, beat, pulsetime)),
      ),
    );
    for (const [index, beat] of beats.entries()) {
      const answer = answers[index];
      if (answer === undefined) continue;
      const expected = run.reference.heartbeat(bucketId, beat, pulsetime, answer.id);
      sameEvent("heartbeatResult", answer, expected, `answer ${index}`);
    }
  };
}

/** Deletes some events. */
export function deleting(most: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const ids = Array.from({ length: intOf(run.random, 0, most) }, () => idIn(run, bucketId));
    const answer = await ask(run, `delete ${ids.length}`, bucketId, (storage) => storage.deleteEvents(bucketId, ids));
    if (answer === undefined) return;
    same("deleteEvents", answer, run.reference.deleteEvents(bucketId, ids), "deleted events");
  };
}

/** Deletes neighbours: segments shrink and go. */
export const deleteRun: Step = async (run) => {
  const bucketId = bucketIn(run);
  const own = run.reference.hasBucket(bucketId) ? run.reference.sorted(bucketId) : [];
  const first = intOf(run.random, 0, Math.max(0, own.length - 1));
  const ids = idsOf(own.slice(first, first + intOf(run.random, 1, 700)));
  const answer = await ask(run, `delete a run of ${ids.length}`, bucketId, (each) => each.deleteEvents(bucketId, ids));
  if (answer === undefined) return;
  run.reference.deleteEvents(bucketId, ids);
  same("deleteEvents", answer, ids.length, "deleted events");
};

/** Puts or deletes a setting. */
export const set: Step = async (run) => {
  const { settings } = run.reference;
  const key = `key ${intOf(run.random, 1, 12)}`;
  const removes = run.random() < 0.3;
  const value = pick(run, VALUES);
  if (removes) {
    const outcome = await attempt(run, `delete setting ${key}`, (storage) => storage.settings.delete(key));
    if (outcome !== undefined) same("settingsDelete", outcome.answer, settings.delete(key), key);
  } else if ((await attempt(run, `set ${key}`, (storage) => storage.settings.put(key, value))) !== undefined) {
    settings.set(key, value);
  }
};

/** Compares a record with what it is, or with something else, and sets it. */
export const compareAndSet: Step = async (run) => {
  const { records } = run.reference;
  const key = `key ${intOf(run.random, 1, 6)}`;
  const held = records.get(key);
  const isFitting = run.random() < 0.7;
  const value = run.random() < 0.3 ? undefined : pick(run, VALUES);
  const expected = isFitting ? held : { other: run.now };
  const outcome = await attempt(run, `compare and set ${key}`, (storage) =>
    storage.records("kind").compareAndSet(key, expected, value),
  );
  if (outcome === undefined) return;
  same("compareResult", outcome.answer, isFitting, key);
  if (!isFitting) return;
  if (value === undefined) records.delete(key);
  else records.set(key, value);
};
