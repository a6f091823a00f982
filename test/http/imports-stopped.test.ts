// Imports that the storage stops half way: the response tells what was stored, and the same import adds the rest.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/index.js";
import type { RunCursor, RunDraft } from "../../src/service/import/draft-run.js";
import { importBuckets } from "../../src/service/import.js";
import { ActivityError, storageFull } from "../../src/storage/index.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { bucket } from "../tools/backups.js";
import { event, json } from "./client.js";

const test = suite("imports that stop half way");

/** More than one call of the storage takes. */
const COUNT = 7_000;
const TWINS = 40_000;

type Method = "createBucket" | "mergeEvents" | "putEvents";

interface Stop {
  readonly method: Method;
  /** The first call that fails, from 0. */
  readonly after: number;
  readonly error: () => Error;
}

/** A storage one of whose methods fails from some call on, until `heal()`. */
function stopping({ method, after, error }: Stop): { readonly storage: Storage; heal(): void } {
  const storage = memory();
  let calls = 0;
  let isHealed = false;
  const original = storage[method].bind(storage) as (...parameters: unknown[]) => Promise<unknown>;
  Object.defineProperty(storage, method, {
    value: async (...parameters: unknown[]) => {
      if (calls++ >= after && !isHealed) throw error();
      return original(...parameters);
    },
  });
  return {
    storage,
    heal() {
      isHealed = true;
    },
  };
}

const minutes = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => event(from + index, { n: from + index }));

const documentOf = (buckets: Readonly<Record<string, readonly object[]>>): object => ({
  buckets: Object.fromEntries(Object.entries(buckets).map(([id, events]) => [id, { ...BUCKET, events }])),
});

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly fault?: string;
  readonly values?: { readonly events: number; readonly buckets: number };
}

async function refused(send: Send, document: object, status: number): Promise<Refusal> {
  const answer = await send("POST", "/api/0/import", document);
  assert.is(answer.status, status, answer.body.toString());
  return JSON.parse(answer.body.toString()) as Refusal;
}

async function countsOf(storage: Storage): Promise<{ readonly buckets: number; readonly events: number }> {
  const ids = (await storage.listBuckets()).map(({ id }) => id);
  const counts = await Promise.all(ids.map((id) => storage.countEvents(id)));
  return { buckets: ids.length, events: counts.reduce((sum, count) => sum + count, 0) };
}

/** Imports until it stops, compares what is said with what is stored, and imports again. */
async function stops(stop: Stop, document: object, status: number): Promise<Refusal> {
  const { storage, heal } = stopping(stop);
  let said: Refusal | undefined;
  await withServer({ storage }, async ({ send, errors }) => {
    said = await refused(send, document, status);
    assert.is(errors.splice(0).length, 1, "the log tells the operator");
    const stored = await countsOf(storage);
    assert.ok(stored.buckets > 0, "something was stored");
    assert.not.match(said.message, /nothing of this was stored/);
    assert.match(said.message, `${stored.events} events`);
    assert.match(said.message, stored.buckets === 1 ? "1 new bucket" : `${stored.buckets} new buckets`);
    assert.match(said.message, "import it again to add the rest");
    heal();
    const counts = json(await send("POST", "/api/0/import", document)) as Record<string, number>;
    if (stop.method !== "putEvents") assert.is(counts["events_already_there"], stored.events);
    assert.is(counts["buckets_merged"], stored.buckets);
  });
  return said as Refusal;
}

const LARGE = documentOf({ a: minutes(0, COUNT), b: minutes(0, COUNT), c: minutes(0, 10) });
const full = (): Error => storageFull();

test("an import without space for all of it tells how much of it was stored", async () => {
  const { code, message, fault, values } = await stops({ method: "mergeEvents", after: 5, error: full }, LARGE, 507);
  assert.is(code, "STORAGE_FULL");
  assert.match(message, "no space left");
  assert.is(fault, "importStopped");
  assert.is(values?.buckets, 2);
  assert.ok((values?.events ?? 0) > COUNT);
});

test("so does one that stops at a bucket, within equal events, or for another reason", async () => {
  await stops({ method: "createBucket", after: 1, error: full }, LARGE, 507);
  await stops({ method: "mergeEvents", after: 0, error: full }, LARGE, 507);
  const twins = documentOf({ a: [event(0, { n: 0 }), ...Array.from({ length: TWINS }, () => event(1))] });
  // Of that many equal events, those that are missing are not found (docs/reference/api.md#export-and-import).
  await stops({ method: "putEvents", after: 1, error: full }, twins, 507);
  const failed = (): Error =>
    new ActivityError("STORAGE_FAILED", "not written; nothing of this was stored", { reason: "not written" });
  const said = await stops({ method: "mergeEvents", after: 2, error: failed }, LARGE, 503);
  assert.match(said.message, "not written");
});

test("an import whose temporary file fails counts what was being written", async () => {
  const storage = memory();
  const drafts = Array.from({ length: COUNT }, (_, n): RunDraft => {
    return { timestamp: n, duration: 0, data: { value: { n }, text: `{"n":${n}}` } };
  });
  let at = 0;
  const cursor: RunCursor = {
    get draft() {
      return drafts[at];
    },
    next: () => (++at < COUNT - 1 ? undefined : Promise.reject(storageFull())),
  };
  const importing = importBuckets(storage, [{ bucket: bucket("a"), runs: [{ first: 0, open: async () => cursor }] }]);
  const error = await importing.then(
    () => new Error("it did not fail"),
    (thrown: Error) => thrown,
  );
  const events = await storage.countEvents("a");
  assert.ok(events > 0, "something was stored");
  assert.is(
    error.message,
    `the import stopped after storing ${events} events and 1 new bucket: no space left; import it again to add the rest`,
  );
});

test("one that stores nothing keeps the message of the storage", async () => {
  const stop = { method: "createBucket", after: 0, error: full } as const;
  const { storage } = stopping(stop);
  await withServer({ storage }, async ({ send, errors }) => {
    const said = await refused(send, LARGE, 507);
    errors.splice(0);
    assert.is(said.message, "no space left, nothing of this was stored");
    assert.is(said.fault, undefined);
    assert.equal(await countsOf(storage), { buckets: 0, events: 0 });
  });
});

test("an import whose bucket is deleted in the meantime is a conflict, not a missing bucket", async () => {
  const storage = memory();
  const mergeEvents = storage.mergeEvents.bind(storage);
  await withServer({ storage }, async ({ server, send }) => {
    storage.mergeEvents = async (...parameters) => {
      await server.buckets.delete("a");
      return mergeEvents(...parameters);
    };
    const { code, message } = await refused(send, documentOf({ a: minutes(0, 1) }), 409);
    assert.is(code, "CONFLICT");
    assert.match(message, /bucket 'a' was deleted during the import; import it again/);
  });
});

test("what a failed import has stored is announced", async () => {
  const { storage } = stopping({ method: "mergeEvents", after: 2, error: full });
  const written: string[] = [];
  await withServer({ storage }, async ({ server, send, errors }) => {
    server.on("change", ({ kind }) => void written.push(kind));
    await refused(send, LARGE, 507);
    errors.splice(0);
  });
  assert.equal(written, ["bucket-created", "events-written"]);
});

test.run();
