// Imports of more than is held in memory: their events wait in a temporary file.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { read } from "../contract/case.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { event, json } from "./client.js";

const test = suite("imports through a temporary file");

const COUNT = 12_000;
/** Long texts fill the memory that there is with few events. */
const LONG = "a long text, ".repeat(30);
/** What a file of lines could trip over. */
const TITLES = ["line\nbreak", "\u2028", "a b", "ü€😀", "\ud800", '"\\', ""];

/** No two have equal data, and they come in no order. */
const EVENTS: readonly object[] = Array.from({ length: COUNT }, (_, index) => {
  const minute = (index * 7919) % COUNT;
  return event(minute, { title: TITLES[minute % TITLES.length], text: `${LONG} that only event ${minute} has` });
});

/** Where systems look for the folder for temporary files. */
const NAMES = ["TMPDIR", "TEMP", "TMP"];

/** Runs a body with another folder for temporary files. */
async function withTemporary(folder: string, body: () => Promise<void>): Promise<void> {
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  for (const name of NAMES) process.env[name] = folder;
  try {
    await body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const documentOf = (buckets: Readonly<Record<string, readonly object[]>>): string =>
  JSON.stringify({
    buckets: Object.fromEntries(Object.entries(buckets).map(([id, events]) => [id, { ...BUCKET, events }])),
  });

async function importing(send: Send, document: string): Promise<[imported: number, known: number]> {
  const answer = json(await send("POST", "/api/0/import", document)) as Record<string, number>;
  return [answer["events_imported"] as number, answer["events_already_there"] as number];
}

async function dataOf(storage: Storage, bucketId: string): Promise<string[]> {
  return (await read(storage, bucketId, { order: "oldest" })).map(({ data }) => JSON.stringify(data));
}

test("every event of a large import arrives as it was, and the file is gone", () =>
  withFolder((folder) =>
    withTemporary(folder, () =>
      withServer({}, async ({ send, storage }) => {
        const inOrder = EVENTS.toSorted((a, b) => timeOf(a) - timeOf(b)).map((one) => dataText(one));
        // Twins far from each other, which land in different parts of the file.
        const first = EVENTS[0] as object;
        const document = documentOf({ a: [...EVENTS, first, first], b: EVENTS.slice(0, 1000) });
        assert.equal(await importing(send, document), [COUNT + 1002, 0]);
        assert.equal(await dataOf(storage, "a"), [inOrder[0], inOrder[0], ...inOrder]);
        assert.is(await storage.countEvents("b"), 1000);
        assert.equal(await importing(send, document), [0, COUNT + 1002]);
        assert.equal(await fs.readdir(folder), []);
      }),
    ),
  ));

test("two large imports at once do not mix", () =>
  withFolder((folder) =>
    withTemporary(folder, () =>
      withServer({}, async ({ send, storage }) => {
        const half = COUNT / 2;
        const counts = await Promise.all([
          importing(send, documentOf({ a: EVENTS.slice(0, half) })),
          importing(send, documentOf({ b: EVENTS.slice(half) })),
        ]);
        assert.equal(counts, [
          [half, 0],
          [half, 0],
        ]);
        for (const [id, events] of [
          ["a", EVENTS.slice(0, half)],
          ["b", EVENTS.slice(half)],
        ] as const) {
          assert.equal((await dataOf(storage, id)).sort(), events.map(dataText).sort());
        }
        assert.equal(await fs.readdir(folder), []);
      }),
    ),
  ));

test("without a place for the file nothing of a large import is stored, and a small one needs none", () =>
  withFolder((folder) =>
    withTemporary(path.join(folder, "missing"), () =>
      withServer({ storage: memory() }, async ({ send, storage, errors }) => {
        for (const events of [EVENTS, EVENTS.slice(0, COUNT / 2)]) {
          const refused = await send("POST", "/api/0/import", documentOf({ a: events }));
          assert.is(refused.status, 503);
          assert.not.match(String(refused.body), folder);
          assert.is(errors.splice(0).length, 1);
        }
        assert.equal(await storage.listBuckets(), []);
        assert.equal(await importing(send, documentOf({ a: EVENTS.slice(0, 100) })), [100, 0]);
      }),
    ),
  ));

function timeOf(one: object): number {
  return Date.parse((one as { readonly timestamp: string }).timestamp);
}

function dataText(one: object): string {
  return JSON.stringify((one as { readonly data: object }).data);
}

test.run();
