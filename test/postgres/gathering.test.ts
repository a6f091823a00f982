import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BatchingDelay } from "../../adapters/postgres/batching-delay.js";

const test = suite("postgres gathering");
const MOST = 100;

function gatheringAfter(...callers: readonly number[]): BatchingDelay {
  const gathering = new BatchingDelay(MOST);
  for (const each of callers) gathering.recordStatement(each);
  return gathering;
}

test("the first heartbeats, and those of few callers, wait for nobody", () => {
  assert.is(new BatchingDelay(MOST).waitMillis(1, 0), 0);
  assert.is(gatheringAfter(1, 1).waitMillis(1, 0), 0);
  assert.is(gatheringAfter(3, 3).waitMillis(1, 0), 0);
});

for (const { callers, enough } of [
  { callers: 4, enough: 4 },
  { callers: 24, enough: 24 },
  { callers: 30, enough: 24 },
  { callers: 64, enough: 32 },
  { callers: 5_000, enough: MOST },
]) {
  test(`of ${callers} callers ${enough} are sent, and fewer wait for others`, () => {
    assert.ok(gatheringAfter(callers).waitMillis(enough - 1, 0) > 0);
    assert.is(gatheringAfter(callers).waitMillis(enough, 0), 0);
  });
}

test("those that wait are sent when nobody comes for a millisecond", () => {
  const gathering = gatheringAfter(64);
  assert.is(gathering.waitMillis(3, 10), 1);
  assert.is(gathering.waitMillis(3, 10.75), 0.25);
  assert.is(gathering.waitMillis(4, 10.75), 1);
  assert.is(gathering.waitMillis(4, 11.75), 0);
});

test("however many come one after another, none waits for more than five milliseconds", () => {
  const gathering = gatheringAfter(64);
  const waits = Array.from({ length: 11 }, (_, half) => gathering.waitMillis(1 + half, half / 2));
  assert.equal(waits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0]);
});

test("callers that are gone are waited for twice", () => {
  const gathering = gatheringAfter(64);
  gathering.recordStatement(1);
  assert.ok(gathering.waitMillis(1, 0) > 0);
  gathering.recordStatement(1);
  assert.is(gathering.waitMillis(1, 0), 0);
});

test.run();
