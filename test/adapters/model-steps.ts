import type { BucketPatch } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { EventRange, Storage } from "../../src/storage.js";
import { bucketOf, idsOf, intOf, read } from "../contract/case.js";
import { broken, same, sameBucket, sameBuckets, sameEvent, sameEvents, sameValue } from "../contract/check.js";
import type { Reference } from "../contract/reference.js";
import { through } from "../contract/through.js";
import { DATA, VALUES } from "../contract/values.js";

/** What the steps of a model run work on: the same calls go to every storage, and to the reference. */
export interface Run {
  /** The storages, in an order that stays; the first one names the ids that the others must give, too. */
  readonly storages: () => readonly Storage[];
  readonly reference: Reference;
  readonly random: () => number;
  /** Time goes on by itself, so that most events come in order. */
  now: number;
  /** Told before each call, for the message of a failure. */
  tell(what: string): void;
}

/** One random operation on all storages, whose answers must be those of the reference. */
export type Step = (run: Run) => Promise<void>;

const BUCKET_IDS = ["window", "afk", "", "a/b", "a", "a!", "__proto__", "\ud800"];

function pick<T>(run: Run, list: readonly T[]): T {
  return list[intOf(run.random, 0, list.length - 1)] as T;
}

function bucketIn(run: Run): string {
  const known = run.reference.bucketIds();
  return known.length === 0 || run.random() < 0.02 ? pick(run, BUCKET_IDS) : pick(run, known);
}

/** Calls all storages; where the bucket is unknown all must refuse, and `undefined` is answered. */
async function ask<T>(
  run: Run,
  what: string,
  bucketId: string,
  call: (storage: Storage) => Promise<T>,
): Promise<T[] | undefined> {
  run.tell(`${what} in ${JSON.stringify(bucketId)}`);
  const outcomes = await Promise.allSettled(run.storages().map(call));
  const known = run.reference.hasBucket(bucketId);
  const answers: T[] = [];
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled" && known) answers.push(outcome.value);
    else if (outcome.status === "fulfilled") broken("noSuchBucket", `${what} was accepted`);
    else if (known || !ActivityError.is(outcome.reason) || outcome.reason.code !== "NO_SUCH_BUCKET")
      throw outcome.reason;
  }
  return known ? answers : undefined;
}

function draftIn(run: Run): EventDraft {
  const { random } = run;
  const late = random() < 0.2 ? intOf(random, 0, run.now) : intOf(random, 0, 50);
  const duration = random() < 0.03 ? intOf(random, 0, 50_000) : intOf(random, -5, 120);
  const data = random() < 0.02 ? pick(run, DATA) : { label: intOf(random, 1, 4) };
  return { timestamp: run.now - late, duration, data };
}

/** An id of this bucket, of another one, or of none. */
function idIn(run: Run, bucketId: string): number {
  const { random, reference } = run;
  const own = reference.hasBucket(bucketId) ? reference.sorted(bucketId) : [];
  if (own.length > 0 && random() < 0.7) return pick(run, own).id;
  return intOf(random, 1, reference.greatestId + (random() < 0.2 ? 20 : 0) + 1);
}

const create: Step = async (run) => {
  const bucket = bucketOf(pick(run, BUCKET_IDS), { created: run.now, name: run.random() < 0.5 ? null : "named" });
  run.tell(`create ${JSON.stringify(bucket.id)}`);
  const expected = run.reference.createBucket(bucket);
  for (const storage of run.storages()) same("createBucket", await storage.createBucket(bucket), expected, "creation");
};

const update: Step = async (run) => {
  const id = pick(run, BUCKET_IDS);
  const patch: BucketPatch = run.random() < 0.5 ? { data: pick(run, DATA) } : { client: `at ${run.now}` };
  run.tell(`update ${JSON.stringify(id)}`);
  const expected = run.reference.updateBucket(id, patch);
  for (const storage of run.storages()) same("updateBucket", await storage.updateBucket(id, patch), expected, "update");
};

const drop: Step = async (run) => {
  const id = pick(run, BUCKET_IDS);
  run.tell(`delete bucket ${JSON.stringify(id)}`);
  const expected = run.reference.deleteBucket(id);
  for (const storage of run.storages()) same("deleteBucket", await storage.deleteBucket(id), expected, "deletion");
};

function putting(least: number, most: number, idShare: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const drafts = Array.from({ length: intOf(run.random, least, most) }, () => {
      const draft = draftIn(run);
      return run.random() < idShare ? { ...draft, id: idIn(run, bucketId) } : draft;
    });
    const answers = await ask(run, `put ${drafts.length}`, bucketId, (storage) => storage.putEvents(bucketId, drafts));
    if (answers === undefined) return;
    const expected = run.reference.putEvents(bucketId, drafts, idsOf(answers[0] as StoredEvent[]));
    for (const answer of answers) {
      same("ids", idsOf(answer), idsOf(expected), "ids");
      sameEvents("putResult", lastOfEachId(answer), lastOfEachId(expected), "answer of putEvents");
    }
  };
}

/** Of drafts with one id the stored one is the last. */
function lastOfEachId(events: readonly StoredEvent[]): StoredEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** Beats one after the other, or all at once. */
function beating(count: number): Step {
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
    const answers = await ask(run, `${count} heartbeats`, bucketId, (storage) =>
      Promise.all(beats.map((beat) => storage.heartbeat(bucketId, beat, pulsetime))),
    );
    for (const [index, beat] of beats.entries()) {
      if (answers === undefined) return;
      const expected = run.reference.heartbeat(bucketId, beat, pulsetime, answers[0]?.[index]?.id ?? 0);
      for (const answer of answers) sameEvent("heartbeatResult", answer[index], expected, `answer ${index}`);
    }
  };
}

function deleting(most: number): Step {
  return async (run) => {
    const bucketId = bucketIn(run);
    const ids = Array.from({ length: intOf(run.random, 0, most) }, () => idIn(run, bucketId));
    const answers = await ask(run, `delete ${ids.length}`, bucketId, (storage) => storage.deleteEvents(bucketId, ids));
    if (answers === undefined) return;
    const expected = run.reference.deleteEvents(bucketId, ids);
    for (const answer of answers) same("deleteEvents", answer, expected, "deleted events");
  };
}

/** A run of neighbours disappears: segments shrink and go. */
const deleteRun: Step = async (run) => {
  const bucketId = bucketIn(run);
  const own = run.reference.hasBucket(bucketId) ? run.reference.sorted(bucketId) : [];
  const first = intOf(run.random, 0, Math.max(0, own.length - 1));
  const ids = idsOf(own.slice(first, first + intOf(run.random, 1, 700)));
  const answers = await ask(run, `delete a run of ${ids.length}`, bucketId, (each) => each.deleteEvents(bucketId, ids));
  if (answers === undefined) return;
  run.reference.deleteEvents(bucketId, ids);
  for (const answer of answers) same("deleteEvents", answer, ids.length, "deleted events");
};

const readRange: Step = async (run) => {
  const { random } = run;
  const bucketId = bucketIn(run);
  const start = intOf(random, -100, run.now);
  const bounds = { start, end: start + (random() < 0.5 ? intOf(random, 0, 200) : intOf(random, 0, run.now)) };
  const range: EventRange = {
    ...(random() < 0.8 ? { start: bounds.start } : {}),
    ...(random() < 0.8 ? { end: bounds.end } : {}),
    ...(random() < 0.6 ? { limit: intOf(random, 0, random() < 0.5 ? 5 : 3_000) } : {}),
    ...(random() < 0.5 ? { order: random() < 0.5 ? "oldest" : "newest" } : {}),
  };
  const what = `read ${JSON.stringify(range)}`;
  const answers = await ask(run, what, bucketId, (storage) => read(storage, bucketId, range));
  if (answers === undefined) return;
  const expected = run.reference.readEvents(bucketId, range);
  for (const answer of answers) sameEvents("readEvents", answer, expected, what);
  for (const way of ["readPrinted", "readColumns"] as const) {
    const others = await ask(run, `${what} by ${way}`, bucketId, (storage) =>
      read(through(way, storage) ?? storage, bucketId, range),
    );
    for (const answer of others ?? []) sameEvents(way, answer, expected, what);
  }
  const { limit: _, order: __, ...span } = range;
  const counts = await ask(run, `count ${what}`, bucketId, (storage) => storage.countEvents(bucketId, span));
  for (const count of counts ?? []) same("countEvents", count, run.reference.countEvents(bucketId, span), what);
};

const lookUp: Step = async (run) => {
  const bucketId = bucketIn(run);
  const id = idIn(run, bucketId);
  const answers = await ask(run, `get ${id}`, bucketId, (storage) => storage.getEvent(bucketId, id));
  if (answers === undefined) return;
  const expected = run.reference.getEvent(bucketId, id);
  for (const answer of answers) {
    if (expected === undefined) same("getEvent", answer, undefined, `event ${id}`);
    else sameEvent("getEvent", answer, expected, `event ${id}`);
  }
};

const summarise: Step = async (run) => {
  run.tell("summaries");
  const expected = run.reference.listBuckets();
  for (const storage of run.storages()) {
    sameBuckets("listBuckets", await storage.listBuckets(), expected, "summaries");
    for (const bucket of expected) sameBucket("getBucket", await storage.getBucket(bucket.id), bucket, "summary");
  }
};

const set: Step = async (run) => {
  const { settings } = run.reference;
  const key = `key ${intOf(run.random, 1, 12)}`;
  const removes = run.random() < 0.3;
  const value = pick(run, VALUES);
  run.tell(removes ? `delete setting ${key}` : `set ${key}`);
  for (const storage of run.storages()) {
    if (removes) same("settingsDelete", await storage.settings.delete(key), settings.has(key), key);
    else await storage.settings.put(key, value);
  }
  if (removes) settings.delete(key);
  else settings.set(key, value);
};

/** Everything that the storages hold. */
export const compareAll: Step = async (run) => {
  await summarise(run);
  for (const storage of run.storages()) {
    const all = await storage.settings.list();
    same("settingsList", all.size, run.reference.settings.size, "number of settings");
    for (const [key, value] of run.reference.settings) {
      sameValue("lossless", all.get(key), value, `setting ${key}`);
      sameValue("lossless", await storage.settings.get(key), value, `setting ${key}`);
    }
    for (const id of run.reference.bucketIds()) {
      run.tell(`all events of ${JSON.stringify(id)} on ${storage.traits.adapter}`);
      const expected = run.reference.sorted(id);
      sameEvents("readEvents", await read(storage, id, { order: "oldest" }), expected, "all events");
      same("countEvents", await storage.countEvents(id), expected.length, "count of all events");
    }
  }
};

/** Steps with their shares. */
const STEPS: readonly [share: number, step: Step][] = [
  [3, create],
  [2, update],
  [0.4, drop],
  [14, putting(1, 1, 0)],
  [8, putting(1, 12, 0.4)],
  [3, putting(50, 400, 0.02)],
  [0.6, putting(900, 1_800, 0)],
  [30, beating(1)],
  [6, beating(12)],
  [8, deleting(6)],
  [1, deleteRun],
  [14, readRange],
  [6, lookUp],
  [3, summarise],
  [3, set],
];

const SHARES = STEPS.reduce((sum, [share]) => sum + share, 0);

/** Takes one random step. */
export async function takeStep(run: Run): Promise<void> {
  run.now += intOf(run.random, 0, 40);
  let left = run.random() * SHARES;
  for (const [share, step] of STEPS) {
    left -= share;
    if (left < 0) return step(run);
  }
}
