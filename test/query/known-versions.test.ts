// A storage on another machine is asked for versions once a request, of all buckets that a program names.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { BUCKET } from "../http/client.js";

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

async function filled(storage: Storage) {
  const server = createActivityServer({ storage });
  for (const id of ["one", "two"]) await server.buckets.create(id, BUCKET, [EVENT]);
  return server;
}

test("two buckets and two periods are one question, anew for each request", async () => {
  const { storage, asked } = distant();
  const server = await filled(storage);
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
  await server.close();
});

test("a failure to tell them is a failure of the query", async () => {
  const { storage } = distant();
  const server = await filled({
    ...storage,
    versions: async () => {
      throw new Error("the cable is cut");
    },
  });
  await server.query({ timeperiods: PERIODS, query: PROGRAM }).then(
    () => assert.unreachable(),
    (thrown) => assert.match(String(thrown), "the cable is cut"),
  );
  await server.close();
});

test.run();
