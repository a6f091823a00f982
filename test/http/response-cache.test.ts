// Reads that are asked for again and again show every change at once.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createActivityServer } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, type Served, withServer } from "../harness.js";
import { ADAPTERS, event, json } from "./client.js";

const test = suite("kept answers");

const READS = ["", "?limit=1", "?limit=100", "?start=2024-03-01T10:00:00Z&end=2024-03-01T10:30:00Z", "?limit=-1"];

/** Reads three times: the third answer may be a kept one. */
async function readAll({ send }: Served, bucketId = "b"): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const read of READS) {
    const times: unknown[] = [];
    for (let time = 0; time < 3; time++)
      times.push(json(await send("GET", `/api/0/buckets/${bucketId}/events${read}`)));
    assert.equal(times[1], times[0]);
    assert.equal(times[2], times[0]);
    answers.push(times[0]);
  }
  return answers;
}

type Change = readonly [name: string, make: (served: Served, id: number) => Promise<unknown>];

const CHANGES: readonly Change[] = [
  [
    "a heartbeat that extends",
    ({ send }) => send("POST", "/api/0/buckets/b/heartbeat?pulsetime=90", event(59, { n: 9 }, 60)),
  ],
  [
    "a heartbeat that begins",
    ({ send }) => send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", event(61, { n: 1 })),
  ],
  ["an insert", ({ send }) => send("POST", "/api/0/buckets/b/events", [event(20, { late: true }, 5)])],
  ["an edit", ({ send }, id) => send("POST", "/api/0/buckets/b/events", [{ id, ...event(30, { edited: true }, 5) }])],
  ["a deletion", ({ send }, id) => send("DELETE", `/api/0/buckets/b/events/${id}`)],
];

for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  test(`each change is seen by the next read, in ${adapter}`, () =>
    withStorage((storage) =>
      withServer({ storage, buckets: ["b"] }, async (served) => {
        const events = Array.from({ length: 60 }, (_, at) => event(at, { n: at % 10 }, 30));
        const stored = json(await served.send("POST", "/api/0/buckets/b/events", events)) as { id: number }[];
        let before = await readAll(served);
        assert.is((before[0] as unknown[]).length, 60);
        for (const [name, make] of CHANGES) {
          await make(served, stored.at(-2)?.id as number);
          const after = await readAll(served);
          assert.not.equal(after, before, name);
          // A second server on the same storage has kept nothing.
          const fresh = createActivityServer({ storage });
          for (const [at, read] of READS.entries()) {
            const answer = await checkedFetch(`http://localhost/api/0/buckets/b/events${read}`, {}, fresh.fetch);
            assert.equal(after[at], await answer.json(), `${name}: ${read}`);
          }
          before = after;
        }
      }),
    ));

  test(`a bucket that is deleted, and made anew, shows nothing of before, in ${adapter}`, () =>
    withStorage((storage) =>
      withServer({ storage, testing: true }, async (served) => {
        json(await served.send("POST", "/api/0/buckets/b", BUCKET));
        json(await served.send("POST", "/api/0/buckets/b/events", [event(1, {}, 5)]));
        assert.is(((await readAll(served))[0] as unknown[]).length, 1);
        await served.send("DELETE", "/api/0/buckets/b");
        for (let time = 0; time < 3; time++)
          assert.is((await served.send("GET", "/api/0/buckets/b/events")).status, 404);
        json(await served.send("POST", "/api/0/buckets/b", BUCKET));
        assert.equal(
          await readAll(served),
          READS.map(() => []),
        );
      }),
    ));
}

test.run();
