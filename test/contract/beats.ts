import type { StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf } from "./case.js";
import { same, sameEvent } from "./check.js";
import type { PromiseName } from "./promises.js";

/** The bucket of the scenarios about merge targets. */
export const BUCKET = "window";

/** Beats with label `label` at `at`, pulsetime 5, and demands which event answers: an id, or `new`. */
export async function expectBeat(
  storage: Storage,
  at: number,
  label: string,
  id: number | "new",
  promise: PromiseName = "mergeTarget",
): Promise<StoredEvent> {
  const before = await storage.countEvents(BUCKET);
  const event = await storage.heartbeat(BUCKET, draftOf(at, 1, label), 5);
  const fresh = (await storage.countEvents(BUCKET)) > before;
  same(promise, fresh ? "new" : event.id, id, `a beat '${label}' at ${at} was merged into`);
  same("heartbeatResult", event.timestamp + event.duration >= at + 1, true, `the answer covers the beat at ${at}`);
  sameEvent("heartbeatResult", await storage.getEvent(BUCKET, event.id), event, "the event as stored");
  return event;
}

/** A bucket with 'old' at 100 and 'last' at 1000, both of length 1; answers their ids. */
export async function fillTargets(storage: Storage): Promise<[number, number]> {
  await storage.createBucket(bucketOf(BUCKET));
  const stored = await storage.putEvents(BUCKET, [draftOf(1_000, 1, "last"), draftOf(100, 1, "old")]);
  const [last, old] = idsOf(stored) as [number, number];
  return [old, last];
}
