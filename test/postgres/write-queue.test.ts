import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WriteQueue } from "../../adapters/postgres/write-queue.js";

const test = suite("postgres write queue");

test("one statement has the beats of at most 100 buckets, each with all of its own, and all are answered", async () => {
  const sent: (readonly string[])[] = [];
  const queue = new WriteQueue<string, string>(async (beats) => {
    sent.push(beats);
    await new Promise(setImmediate);
    return beats.map((beat) => `answer to ${beat}`);
  });
  const keys = Array.from({ length: 250 }, (_, index) => `bucket ${index}`);
  const beats = keys.flatMap((key) => [1, 2, 3].map((turn) => ({ key, beat: `${key}, ${turn}` })));
  const answers = await Promise.all(beats.map(({ key, beat }) => queue.beat(key, beat)));
  assert.equal(
    answers,
    beats.map(({ beat }) => `answer to ${beat}`),
  );
  assert.equal(
    sent.map(({ length }) => length),
    [300, 300, 150],
  );
  await queue.idle();
});

test.run();
