import type { EventRange } from "../../src/storage/storage.js";
import { intOf, read } from "../contract/case.js";
import { same, sameBucket, sameBuckets, sameEvent, sameEvents, sameValue } from "../contract/check.js";
import { throughTexts } from "../contract/through.js";
import { ask, bucketIn, idIn, type Run, type Step } from "./model-run.js";
import { transacting } from "./model-transactions.js";
import {
  beating,
  compareAndSet,
  create,
  deleteRun,
  deleting,
  drop,
  merging,
  putting,
  set,
  update,
} from "./model-writes.js";

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
  const answer = await ask(run, what, bucketId, (storage) => read(storage, bucketId, range));
  if (answer === undefined) return;
  const expected = run.reference.read(bucketId, range);
  sameEvents("read", answer, expected, what);
  const texts = await ask(run, `${what} as texts`, bucketId, (each) => read(throughTexts(each), bucketId, range));
  sameEvents("batchText", texts ?? [], expected, what);
  const { limit: _, order: __, ...span } = range;
  const count = await ask(run, `count ${what}`, bucketId, (storage) => storage.countEvents(bucketId, span));
  same("countEvents", count, run.reference.countEvents(bucketId, span), what);
};

const lookUp: Step = async (run) => {
  const bucketId = bucketIn(run);
  const id = idIn(run, bucketId);
  const answer = await ask(run, `get ${id}`, bucketId, (storage) => storage.getEvent(bucketId, id));
  const expected = run.reference.hasBucket(bucketId) ? run.reference.getEvent(bucketId, id) : undefined;
  if (expected === undefined) same("getEvent", answer, undefined, `event ${id}`);
  else sameEvent("getEvent", answer, expected, `event ${id}`);
};

const summarise: Step = async (run) => {
  run.tell("summaries");
  const storage = run.storage();
  sameBuckets("listBuckets", await storage.listBuckets(), run.reference.listBuckets(), "list");
  sameBuckets("summaries", await storage.summaries(), run.reference.summaries(), "summaries");
  for (const bucket of run.reference.listBuckets()) {
    sameBucket("getBucket", await storage.getBucket(bucket.id), bucket, "bucket");
  }
};

/** Everything that the storage holds. */
export const compareAll: Step = async (run) => {
  await summarise(run);
  const storage = run.storage();
  const all = await storage.settings.list();
  same("settingsList", all.size, run.reference.settings.size, "number of settings");
  for (const [key, value] of run.reference.settings) {
    sameValue("lossless", all.get(key), value, `setting ${key}`);
    sameValue("lossless", await storage.settings.get(key), value, `setting ${key}`);
  }
  const records = await storage.records("kind").list();
  same("settingsList", records.size, run.reference.records.size, "number of records");
  for (const [key, value] of run.reference.records) sameValue("lossless", records.get(key), value, `record ${key}`);
  for (const id of run.reference.bucketIds()) {
    run.tell(`all events of ${JSON.stringify(id)} on ${storage.traits.adapter}`);
    const expected = run.reference.sorted(id);
    sameEvents("read", await read(storage, id, { order: "oldest" }), expected, "all events");
    same("countEvents", await storage.countEvents(id), expected.length, "count of all events");
  }
  run.tell("verify");
  const { problems, events } = await storage.verify();
  same("verifySound", JSON.stringify(problems), "[]", "problems");
  const count = run.reference.bucketIds().reduce((sum, id) => sum + run.reference.countEvents(id), 0);
  same("verify", events, count, "events that were checked");
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
  [3, merging(12)],
  [0.5, merging(900)],
  [30, beating(1)],
  [6, beating(12)],
  [8, deleting(6)],
  [1, deleteRun],
  [14, readRange],
  [6, lookUp],
  [3, summarise],
  [3, set],
  [2, compareAndSet],
  [3, transacting],
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
