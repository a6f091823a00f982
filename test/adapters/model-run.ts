import type { EventDraft } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { intOf } from "../contract/case.js";
import { broken } from "../contract/check.js";
import type { Reference } from "../contract/reference.js";
import { DATA } from "../contract/values.js";

/** What the steps of a model run work on: the same calls go to a storage and to the reference. */
export interface Run {
  readonly storage: () => Storage;
  readonly reference: Reference;
  readonly random: () => number;
  /** Time goes on by itself, so that most events come in order. */
  now: number;
  /** Told before each call, for the message of a failure. */
  tell(what: string): void;
  /** Whether a call was refused because its storage was made to fail: it must have changed nothing. */
  wasRefused(reason: unknown): boolean;
}

/** One random operation on the storage, whose answer must be that of the reference. */
export type Step = (run: Run) => Promise<void>;

/** The ids of all buckets of a run. */
export const BUCKET_IDS: readonly string[] = ["window", "afk", "", "a/b", "a", "a!", "__proto__", "\ud800"];

/** One of a list. */
export function pick<T>(run: Run, list: readonly T[]): T {
  return list[intOf(run.random, 0, list.length - 1)] as T;
}

/** A bucket, nearly always one that exists. */
export function bucketIn(run: Run): string {
  const known = run.reference.bucketIds();
  return known.length === 0 || run.random() < 0.02 ? pick(run, BUCKET_IDS) : pick(run, known);
}

/** Makes a call. @returns `undefined` when it was refused because the storage was made to fail */
export async function attempt<T>(
  run: Run,
  what: string,
  call: (storage: Storage) => Promise<T>,
): Promise<{ readonly answer: T } | undefined> {
  run.tell(what);
  const [outcome] = await Promise.allSettled([call(run.storage())]);
  if (outcome.status === "fulfilled") return { answer: outcome.value };
  if (run.wasRefused(outcome.reason)) return undefined;
  throw outcome.reason;
}

/** The same for a bucket; where that is unknown the storage must refuse, and `undefined` is answered. */
export async function ask<T>(
  run: Run,
  what: string,
  bucketId: string,
  call: (storage: Storage) => Promise<T>,
): Promise<T | undefined> {
  const isKnown = run.reference.hasBucket(bucketId);
  const outcome = await attempt(run, `${what} in ${JSON.stringify(bucketId)}`, async (storage) => {
    try {
      return { answer: await call(storage) };
    } catch (thrown) {
      if (!isKnown && ActivityError.is(thrown) && thrown.code === "NO_SUCH_BUCKET") return undefined;
      throw thrown;
    }
  });
  if (outcome?.answer !== undefined && !isKnown) broken("noSuchBucket", `${what} was accepted`);
  return outcome?.answer?.answer;
}

/** A draft near the present, sometimes late, long or odd. */
export function draftIn(run: Run): EventDraft {
  const { random } = run;
  const late = random() < 0.2 ? intOf(random, 0, run.now) : intOf(random, 0, 50);
  const duration = random() < 0.03 ? intOf(random, 0, 50_000) : intOf(random, -5, 120);
  const data = random() < 0.02 ? pick(run, DATA) : { label: intOf(random, 1, 4) };
  return { timestamp: run.now - late, duration, data };
}

/** An id of this bucket or of none. */
export function idIn(run: Run, bucketId: string): number {
  const { random, reference } = run;
  const own = reference.hasBucket(bucketId) ? reference.sorted(bucketId) : [];
  if (own.length > 0 && random() < 0.7) return pick(run, own).id;
  return intOf(random, 1, reference.greatestId(bucketId) + (random() < 0.2 ? 20 : 0) + 1);
}
