// Answers of queries: kept ones stay as they are, and large requests let others in between.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { gather } from "../../src/http/buffering.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, withServer } from "../harness.js";
import { event, refusal } from "./client.js";
import { pausesDuring } from "./pauses.js";

const test = suite("answers of queries");

const DAY = "2024-03-01/2024-03-02";
const QUERY = 'RETURN = query_bucket("window");';

/** What a consumer may do with a chunk that was handed to it. */
const SPOILING: Readonly<Record<string, (chunk: Uint8Array) => void>> = {
  "overwrites it": (chunk) => void chunk.fill(120),
  "transfers it": (chunk) => void structuredClone(chunk, { transfer: [chunk.buffer as ArrayBuffer] }),
};

for (const [what, spoil] of Object.entries(SPOILING)) {
  // Answers of one chunk, of some and of many.
  for (const count of [10, 1400, 5_000]) {
    test(`a consumer of ${count} events that ${what} spoils no later answer`, () =>
      withServer({ door: "process" }, async ({ server }) => {
        const asking = (): Request =>
          new Request("http://127.0.0.1/api/0/query/", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ timeperiods: [DAY], query: [QUERY] }),
          });
        const events = Array.from({ length: count }, (_, at) => ({
          timestamp: "2024-03-01T10:00:00Z",
          duration: { micros: at },
          data: { app: `a${at}`, title: "x".repeat(1000) },
        }));
        await server.buckets.create("window", BUCKET, events);
        const wanted = await (await checkedFetch(asking(), undefined, server.fetch)).text();
        assert.ok(wanted.length > count * 1000);
        for (let round = 0; round < 2; round++) {
          const { body } = await server.fetch(asking());
          if (body === null) throw new Error("no body");
          for await (const chunk of body) spoil(chunk as Uint8Array);
        }
        const answer = await checkedFetch(asking(), undefined, server.fetch);
        assert.is(answer.status, 200);
        assert.ok((await answer.text()) === wanted, "the answer is another one");
      }));
  }
}

const PERIODS = 1000;

test("others are served while thousands of periods are read", () =>
  withServer({}, async ({ send }) => {
    const timeperiods = [...Array.from({ length: PERIODS }, () => DAY), "no period"];
    const [pauses, answer] = await pausesDuring(() =>
      send("POST", "/api/0/query", { timeperiods, query: ["RETURN = 1"] }),
    );
    assert.match(refusal(answer, 400), `timeperiods[${PERIODS}] must be two times with a slash`);
    assert.ok(pauses >= PERIODS, `${pauses} pauses`);
  }));

test("others are served while thousands of results are serialized", () =>
  withServer({ queryLimits: { timeMillis: 1e9 } }, async ({ send }) => {
    await send("POST", "/api/0/buckets/window", BUCKET);
    await send("POST", "/api/0/buckets/window/events", [event(0)]);
    const timeperiods = Array.from({ length: PERIODS }, () => DAY);
    const [pauses, answer] = await pausesDuring(() => send("POST", "/api/0/query", { timeperiods, query: [QUERY] }));
    assert.is((JSON.parse(answer.body.toString()) as unknown[]).length, PERIODS);
    // Reading, carrying out and printing each.
    assert.ok(pauses >= 3 * PERIODS, `${pauses} pauses`);
  }));

test("others are served while the beginning of any response is made", async () => {
  async function* chunks(): AsyncGenerator<string> {
    for (let made = 0; made < 100; made++) yield "x";
  }
  const [pauses, body] = await pausesDuring(() => gather(chunks()));
  assert.is(body, "x".repeat(100));
  assert.ok(pauses >= 100, `${pauses} pauses`);
});

test.run();
