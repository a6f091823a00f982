// A storage on another machine is asked for versions once a request, of all buckets that a program names.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer } from "../../src/index.js";
import { ResultCache } from "../../src/query/result-cache.js";
import type { EventSource } from "../../src/query/source.js";
import { createEventSource } from "../../src/service/event-source.js";
import type { Storage } from "../../src/storage/storage.js";
import { BUCKET, withServer } from "../harness.js";

const test = suite("versions of a request");

/** A storage that is far away, with what it was asked: the buckets of each call. */
function distant(): { readonly storage: Storage; readonly asked: (readonly (string | null)[])[] } {
  const inner = memory();
  const asked: (readonly (string | null)[])[] = [];
  const versions: Storage["versions"] = async (ids) => {
    asked.push(ids);
    return (await inner.versions?.(ids)) ?? [];
  };
  return { storage: { ...inner, versions }, asked };
}

const PROGRAM =
  'one = query_bucket("one"); two = query_bucket("two"); RETURN = [sum_durations(one), sum_durations(two)];';
const PERIODS = ["2024-03-01/2024-03-02", "2024-03-02/2024-03-03"];
const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: { seconds: 5 }, data: {} };

function withBuckets(storage: Storage, body: (server: ActivityServer) => Promise<void>): Promise<void> {
  return withServer({ door: "process", storage }, async ({ server }) => {
    for (const id of ["one", "two"]) await server.buckets.create(id, BUCKET, [EVENT]);
    await body(server);
  });
}

test("two buckets and two periods are one question, anew for each request", async () => {
  const { storage, asked } = distant();
  await withBuckets(storage, async (server) => {
    assert.equal(await server.query({ timeperiods: PERIODS, query: PROGRAM }), [
      [5, 5],
      [0, 0],
    ]);
    asked.length = 0;
    const other = `other = 1; ${PROGRAM}`;
    for (const program of [other, other]) {
      assert.equal(await server.query({ timeperiods: PERIODS, query: program }), [
        [5, 5],
        [0, 0],
      ]);
      assert.equal(asked.splice(0), [["one", "two"]]);
    }
    await server.events.insert("two", { ...EVENT, timestamp: "2024-03-02T10:00:00Z" });
    assert.equal(await server.query({ timeperiods: PERIODS, query: other }), [
      [5, 5],
      [0, 5],
    ]);
  });
});

/** A storage in which something happens once, behind the next read but so many. */
function happening(storage: Storage): { readonly storage: Storage; behind(reads: number, what: () => unknown): void } {
  let [left, then]: [number, (() => unknown) | undefined] = [0, undefined];
  const read: Storage["read"] = async (...asked) => {
    const found = await storage.read(...asked);
    if (left-- === 0) await then?.();
    return found;
  };
  return {
    storage: { ...storage, read },
    behind(reads, what) {
      [left, then] = [reads, what];
    },
  };
}

// Both buckets are read for the first period, then for the second.
for (const [reads, changed, seen] of [
  [0, "one", 5],
  [0, "two", 5],
  [2, "one", 0],
  [2, "two", 5],
  [3, "two", 0],
] as const) {
  test(`what is stored behind read ${reads} of a request is seen by its later reads, and by the next one`, async () => {
    const { storage, behind } = happening(distant().storage);
    await withBuckets(storage, async (server) => {
      const query = PROGRAM.replace(/\[.*\]/, `sum_durations(${changed})`);
      behind(reads, () => server.events.insert(changed, { ...EVENT, timestamp: "2024-03-02T10:00:00Z" }));
      assert.equal(await server.query({ timeperiods: PERIODS, query }), [5, seen]);
      assert.equal(await server.query({ timeperiods: PERIODS, query }), [5, 5]);
    });
  });
}

test("a bucket that is read by an earlier id is read anew when it changes, and when the id leads elsewhere", async () => {
  await withBuckets(distant().storage, async (server) => {
    const sums = () => server.query({ timeperiods: PERIODS.slice(0, 1), query: PROGRAM });
    await server.identity.rename("one", { to: "uno" });
    assert.equal(await sums(), [[5, 5]]);
    await server.events.insert("uno", { ...EVENT, timestamp: "2024-03-01T11:00:00Z" });
    assert.equal(await sums(), [[10, 5]]);
    await server.identity.deleteRedirect("one");
    await server.buckets.create("one", BUCKET);
    assert.equal(await sums(), [[0, 5]]);
  });
});

test("a result stays although a request that came before it knows older versions", async () => {
  const none: EventSource = createEventSource(memory());
  const at = (version: string): EventSource => ({ ...none, versions: (ids) => ids.map(() => version) });
  const cache = new ResultCache();
  cache.put("key", 7, new Map([["one", "new"]]));
  assert.is(await cache.get("key", at("old")), undefined);
  assert.is(await cache.get("key", at("new")), 7);
});

test("a failure to tell them is a failure of the query", async () => {
  const { storage } = distant();
  const versions = () => Promise.reject(new Error("the cable is cut"));
  await withBuckets({ ...storage, versions }, async (server) => {
    await server.query({ timeperiods: PERIODS, query: PROGRAM }).then(
      () => assert.unreachable(),
      (thrown) => assert.match(String(thrown), "the cable is cut"),
    );
  });
});

test.run();
