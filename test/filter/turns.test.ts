// docs/guides/search.md: a search holds nobody up, however its events come.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { EventBatch } from "../../src/domain/batch.js";
import type { Storage } from "../../src/storage/storage.js";
import { withServer } from "../harness.js";

const test = suite("filters and the event loop");

const EVENT = { timestamp: 1_709_200_000_000_000, duration: 1_000_000, data: { app: "a" } };
/** Far more than a slice of time takes, in batches that take less. */
const BATCHES = 4000;
const BATCH = EventBatch.from(Array.from({ length: 100 }, (_, index) => ({ id: index + 1, ...EVENT })));

function inSmallBatches(): Storage {
  async function* batches(): AsyncGenerator<EventBatch> {
    for (let count = 0; count < BATCHES; count++) yield BATCH;
  }
  return { ...memory(), read: async () => ({ version: undefined, batches: batches() }) };
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

test("others have their turn while small batches are looked through", () =>
  withServer({ door: "process", storage: inSmallBatches() }, async ({ server }) => {
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
    const filter = ["app=b"];
    const preview = () => server.events.deleteMatching("b", { filter, preview: true });
    const count = () => server.events.count("b", { filter });
    const grouped = () => server.search({ filter, group: "app" }).summary();
    for (const work of [preview, count, grouped]) assert.ok((await turnsDuring(work)) > 5);
  }));

test.run();
