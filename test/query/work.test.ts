// Work over many events that is no query: it has the time of a query, and takes turns with queries.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { AbandonedError, ActivityError } from "../../src/errors.js";
import { QueryLoad } from "../../src/query/load.js";

const test = suite("work beside queries");

/** More time than a test takes, and less than none. */
const LONG = 1e9;
const OVER = -1;

async function* endless(): AsyncGenerator<number, void, undefined> {
  for (let at = 0; ; at++) yield at;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.unreachable("it was done"),
    (thrown: unknown) => thrown,
  );
}

test("work ends when its time is up, or when no client waits", async () => {
  new QueryLoad(LONG).work().check();
  const late = await refusal(new QueryLoad(OVER).work().inTurns(endless()).next());
  assert.ok(ActivityError.is(late) && late.code === "QUERY_TOO_LARGE", String(late));
  const gone = await refusal(Promise.resolve().then(new QueryLoad(LONG).work(() => true).check));
  assert.instance(gone, AbandonedError);
});

test("the time that a reader takes does not count", async () => {
  const now = performance.now;
  try {
    let millis = now.call(performance);
    performance.now = () => millis;
    const items = new QueryLoad(1000).work().inTurns(endless());
    for (let at = 0; at < 10; at++) {
      await items.next();
      millis += 900;
    }
    await items.return();
  } finally {
    performance.now = now;
  }
});

test("others get their turn after each item, however many work", async () => {
  const load = new QueryLoad(LONG);
  let isOver = false;
  const working = Array.from({ length: 20 }, async () => {
    let count = 0;
    for await (const _item of load.work().inTurns(endless())) {
      count++;
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return count;
    }
    return count;
  });
  // A query waits for one of the eight slots.
  for (let at = 0; at < 10; at++) (await load.begin()).end();
  isOver = true;
  for (const count of await Promise.all(working)) assert.ok(count > 0);
});

test("few work at a time", async () => {
  const load = new QueryLoad(LONG);
  let working = 0;
  let most = 0;
  async function* slow(): AsyncGenerator<void, void, undefined> {
    for (let at = 0; at < 3; at++) {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      yield;
    }
  }
  const all = Array.from({ length: 30 }, async () => {
    for await (const _item of load.work().inTurns(slow())) void _item;
  });
  await Promise.all(all);
  assert.is(most, 8);
});

test.run();
