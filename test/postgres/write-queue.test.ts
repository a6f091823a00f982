import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WriteQueue } from "../../adapters/postgres/write-queue.js";
import { seededRandom } from "../../bench/data.js";

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
  const answers = await Promise.all(beats.map(({ key, beat }) => queue.addHeartbeat(key, beat)));
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

test("callers that come back in any turn have each beat sent once, in their order, and in one statement at a time", async () => {
  const random = seededRandom(7);
  const turns = async (): Promise<void> => {
    for (let left = Math.floor(random() * 8); left > 0; left--) await new Promise(setImmediate);
  };
  const sent: string[] = [];
  const underWay = new Set<string>();
  const queue = new WriteQueue<{ readonly key: string; readonly no: number }, number>(async (beats) => {
    const keys = new Set(beats.map(({ key }) => key));
    for (const key of keys) assert.not(underWay.has(key), `${key} is in two statements`);
    for (const key of keys) underWay.add(key);
    for (const { key, no } of beats) sent.push(`${key} ${no}`);
    await turns();
    for (const key of keys) underWay.delete(key);
    return beats.map(({ no }) => no);
  });
  const keys = Array.from({ length: 64 }, (_, caller) => `bucket ${caller % 48}`);
  await Promise.all(
    keys.map(async (key, caller) => {
      for (let turn = 0; turn < 20; turn++) {
        const no = 100 * caller + turn;
        assert.is(await queue.addHeartbeat(key, { key, no }), no);
        await turns();
      }
    }),
  );
  const wanted = keys.map((key, caller) => Array.from({ length: 20 }, (_, turn) => `${key} ${100 * caller + turn}`));
  for (const [caller, beats] of wanted.entries()) {
    const own = new Set(beats);
    assert.equal(
      sent.filter((each) => own.has(each)),
      beats,
      `caller ${caller}`,
    );
  }
  assert.is(sent.length, 64 * 20);
  await queue.idle();
});

test("a statement that hangs keeps the beats of no other bucket waiting", async () => {
  let release = (): void => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const queue = new WriteQueue<string, string>(async (beats) => {
    if (isFirst) {
      isFirst = false;
      await hanging;
    }
    return beats;
  });
  const first = Promise.all(Array.from({ length: 64 }, (_, index) => queue.addHeartbeat(`locked ${index}`, "late")));
  await new Promise(setImmediate);
  for (const beat of ["one", "two", "three"]) assert.is(await queue.addHeartbeat("other", beat), beat);
  release();
  assert.is((await first).length, 64);
  await queue.idle();
});

test.run();
