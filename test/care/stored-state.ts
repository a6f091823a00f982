import { isDeepStrictEqual } from "node:util";
import type { EventBatch } from "../../src/domain/batch.js";
import { UNDO_KIND } from "../../src/service/identity/undo.js";
import { TRASH_KIND } from "../../src/service/trash/entry.js";
import { REDIRECTS_KIND } from "../../src/storage/records.js";
import { isInTrash } from "../../src/storage/space.js";
import type { Storage } from "../../src/storage/storage.js";

/** Ids that are made at random: of entries of the trash, and of undos. */
export const RANDOM_ID: RegExp = /\b[0-9a-f]{8}-[0-9a-f]{4}\b|\b[0-9a-f]{12}\b/g;
/** The number by which an event is known in these tests, wherever it is stored. */
const NUMBER = /"number":(\d+)/g;
/** What is given out anew when a call is repeated. */
const GIVEN_OUT = /"(id|base)":\d+/g;
/** The microseconds of times, which depend on the order of changes (`distinctMicros`). */
export const MICROSECONDS: RegExp = /(?<="(deleted|time|expires|created)": ?\d+)\d{3}\b/g;

/** All that care of the data may change, as texts without what is made at random. */
export interface StoredState {
  /** Buckets that everybody sees, each with its events. */
  readonly shown: readonly string[];
  /** What the trash holds. */
  readonly trash: readonly string[];
  /** What can be undone, and what is redirected. */
  readonly others: readonly string[];
}

export async function stateOf(storage: Storage): Promise<StoredState> {
  const [shown, trash]: [string[], string[]] = [[], []];
  for (const { id, ...bucket } of await storage.listBuckets()) {
    const { batches } = await storage.read(id, { order: "oldest" });
    (isInTrash(id) ? trash : shown).push(textOf([id, bucket, await eventsOf(batches)]));
  }
  trash.push(...(await recordsOf(storage, TRASH_KIND)));
  const others = [UNDO_KIND, REDIRECTS_KIND].map((kind) => recordsOf(storage, kind));
  return { shown: shown.sort(), trash: trash.sort(), others: (await Promise.all(others)).flat().sort() };
}

/** Whether two states are the same but for ids that were given out. */
export function sameStates(a: StoredState, b: StoredState): boolean {
  const [one, other] = [a, b].map(({ shown, trash, others }) =>
    [shown, trash, others].map((texts) => texts.map((text) => text.replaceAll(GIVEN_OUT, "")).sort()),
  );
  return isDeepStrictEqual(one, other);
}

/** Numbers of events, in ascending order; one that is there twice is there twice. */
export function numbersIn(texts: readonly string[]): number[] {
  const found = texts.flatMap((text) => Array.from(text.matchAll(NUMBER), ([, number]) => Number(number)));
  return found.sort((a, b) => a - b);
}

async function eventsOf(batches: AsyncIterable<EventBatch>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const batch of batches) events.push(...batch.events());
  return events;
}

async function recordsOf(storage: Storage, kind: string): Promise<string[]> {
  return Array.from(await storage.records(kind).list(), (record) => textOf([kind, record]));
}

function textOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(RANDOM_ID, "#").replaceAll(MICROSECONDS, "");
}
