// What was made of lists is made once, also of the short lists that other lists are made of.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { Memo } from "../../src/query/memo.js";
import { runSteps, type Steps } from "../../src/transforms/steps.js";

const test = suite("memo");

function listOf(length: number): EventBatch {
  return EventBatch.from(
    Array.from({ length }, (_, index) => ({ id: index, timestamp: index, duration: 1, data: { at: index } })),
  );
}

/** Makes a list of the same length of the ones given. @returns what it made, and how often */
function maker(memo: Memo): { make(...given: readonly EventBatch[]): EventBatch; made: number } {
  const calls = {
    made: 0,
    make(...given: readonly EventBatch[]): EventBatch {
      function* steps(): Steps<EventBatch> {
        calls.made++;
        yield;
        return listOf(given[0]?.length ?? 0);
      }
      return runSteps(memo.compute("copy", given, steps()));
    },
  };
  return calls;
}

test("the idle times of a day, and what is cut out by them, are made once", () => {
  const calls = maker(new Memo());
  const window = listOf(2_000);
  const idle = listOf(100);
  const first = calls.make(window, calls.make(idle));
  const second = calls.make(window, calls.make(idle));
  assert.is(second, first);
  assert.is(calls.made, 2);
});

test("what is made of fewer than 16 events is made anew, unless another list has as many", () => {
  const calls = maker(new Memo());
  const [few, enough] = [listOf(15), listOf(16)];
  assert.is.not(calls.make(few), calls.make(few));
  assert.is(calls.make(enough), calls.make(enough));
  assert.is(calls.make(few, enough), calls.make(few, enough));
  assert.is(calls.made, 4);
});

test("other arguments are another list", () => {
  const calls = maker(new Memo());
  const idle = listOf(100);
  assert.is.not(calls.make(idle), calls.make(listOf(100)));
  assert.is.not(calls.make(idle, idle), calls.make(idle));
  assert.is(calls.made, 3);
});

test.run();
