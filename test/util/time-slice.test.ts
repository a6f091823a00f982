import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createTimeSlice } from "../../src/util/time-slice.js";

const test = suite("time slices");

/** Longer than a slice. */
const LONG_MILLIS = 6;

/** Runs a body with a clock that goes on only when it is told to. */
async function withClock(body: (work: () => void) => Promise<void>): Promise<void> {
  const { now } = performance;
  let millis = 1_000;
  performance.now = () => millis;
  try {
    await body(() => {
      millis += LONG_MILLIS;
    });
  } finally {
    performance.now = now;
  }
}

test("a computation goes on at once while its slice lasts, and later when it is used up", () =>
  withClock(async (work) => {
    const timeSlice = createTimeSlice();
    assert.is(timeSlice.yield(), undefined);
    work();
    let isLater = false;
    setImmediate(() => {
      isLater = true;
    });
    await timeSlice.yield();
    assert.ok(isLater);
    assert.is(timeSlice.yield(), undefined);
  }));

test("a slice may be longer than usual", () =>
  withClock(async (work) => {
    const timeSlice = createTimeSlice(2 * LONG_MILLIS);
    work();
    assert.is(timeSlice.yield(), undefined);
    work();
    assert.ok(timeSlice.yield() instanceof Promise);
  }));

test("of several computations one goes on in each turn of the event loop, in the order in which they wait", () =>
  withClock(async (work) => {
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const seen: string[] = [];
    const turns: number[] = [];
    async function compute(name: string): Promise<void> {
      const timeSlice = createTimeSlice();
      for (let slice = 0; slice < 3; slice++) {
        work();
        await timeSlice.yield();
        seen.push(name);
        turns.push(turn);
      }
    }
    await Promise.all(["a", "b", "c", "d"].map(compute));
    isOver = true;
    assert.is(seen.join(""), "abcdabcdabcd");
    assert.is(new Set(turns).size, turns.length);
  }));

test.run();
