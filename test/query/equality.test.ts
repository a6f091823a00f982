import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { containsValue, sameValue } from "../../src/query/equality.js";
import { itemsOf, type Value } from "../../src/query/values.js";
import { runSteps, STEP_EVENTS, type Steps } from "../../src/transforms/steps.js";
import { intOf, randomOf } from "../contract/case.js";
import { withBuckets } from "./asking.js";
import { pick } from "./programs.js";

const test = suite("equality of values");

const DATAS: readonly (() => JsonObject)[] = [
  () => ({ app: "a" }),
  () => ({ app: "b", n: [1, { x: null }] }),
  () => ({ n: [1, { x: null }], app: "b" }),
  () => JSON.parse('{"__proto__": 1}'),
  () => ({}),
];

/** Events with the data of their own, which are equal wherever the numbers are. */
function eventsOf(numbers: readonly number[]): EventBatch {
  return EventBatch.from(
    numbers.map((number, index) => ({
      id: index + 1,
      timestamp: number,
      duration: number % 2,
      data: (DATAS[number % DATAS.length] as () => JsonObject)(),
    })),
  );
}

function randomValue(random: () => number, depth: number): Value {
  const kind = intOf(random, 0, depth > 0 ? 8 : 4);
  const length = intOf(random, 0, 3);
  if (kind === 0) return null;
  if (kind === 1) return pick(random, [true, false]);
  if (kind === 2) return pick(random, [0, 1, -0]);
  if (kind === 3) return pick(random, ["", "a"]);
  if (kind === 4 || kind === 5) return eventsOf(Array.from({ length }, () => intOf(random, 0, 2)));
  if (kind === 6) return itemsOf(eventsOf([intOf(random, 0, 1)]))[0] as Value;
  const parts = Array.from({ length }, () => randomValue(random, depth - 1));
  return kind === 7 ? parts : new Map(parts.map((part) => [pick(random, ["a", "b", "c"]), part]));
}

/** What equality compares, written as a text; `undefined` where none is inside. */
function textOf(value: Value): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object") return JSON.stringify(value);
  if (value instanceof Map) {
    const members = [...value].map(([key, member]) => [key, textOf(member)] as const);
    if (members.some(([, text]) => text === undefined)) return undefined;
    return `{${members.sort(([a], [b]) => (a < b ? -1 : 1)).join()}}`;
  }
  if (Array.isArray(value) || value instanceof EventBatch) {
    const items = itemsOf(value as EventBatch).map(textOf);
    return items.includes(undefined) ? undefined : `[${items.join("; ")}]`;
  }
  const { list, index } = value as { list: EventBatch; index: number };
  const data = Object.entries(list.datas[index] as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return `event ${list.timestamps[index]} ${list.durations[index]} ${JSON.stringify(data)}`;
}

test("two values are equal when all that is in them is, and none is nowhere", () => {
  let equal = 0;
  for (let seed = 1; seed <= 4000; seed++) {
    const random = randomOf(seed);
    const [a, b] = [randomValue(random, 2), randomValue(random, 2)];
    const wanted = textOf(a) !== undefined && textOf(a) === textOf(b);
    assert.is(runSteps(sameValue(a, b)), wanted, `seed ${seed}: ${textOf(a)} and ${textOf(b)}`);
    assert.is(runSteps(sameValue(a, a)), textOf(a) !== undefined, `seed ${seed}: ${textOf(a)} and itself`);
    if (wanted) equal++;
    if (!Array.isArray(b)) continue;
    const holds = textOf(a) !== undefined && b.some((item: Value) => textOf(item) === textOf(a));
    assert.is(runSteps(containsValue(b, a)), holds, `seed ${seed}: ${textOf(a)} in a list`);
  }
  assert.ok(equal > 50, `${equal} pairs were equal`);
});

/** The outcome and how many pauses there were. */
function run(steps: Steps<boolean>): readonly [outcome: boolean, pauses: number] {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done) return [value, pauses];
  }
}

/** The same events at other times. */
function startingAt(timestamps: Float64Array): EventBatch {
  const { durations, ids, datas } = MANY;
  return EventBatch.of({ timestamps, durations, ids, datas });
}

const LENGTH = 5 * STEP_EVENTS;
const MANY = eventsOf(Array.from({ length: LENGTH }, (_, index) => index));
const SHARED = startingAt(MANY.timestamps.slice());
const OTHERS = eventsOf(Array.from({ length: LENGTH }, (_, index) => index));
const CHANGED = startingAt(MANY.timestamps.map((start, at) => (at === LENGTH - 1 ? -1 : start)));

test("long lists are compared with pauses, and more of them where data is not shared", () => {
  const [isShared, pauses] = run(sameValue(MANY, SHARED));
  assert.equal([isShared, pauses], [true, 5]);
  const [isSame, more] = run(sameValue(MANY, OTHERS));
  assert.ok(isSame);
  assert.ok(more >= 4 * pauses, `${more} pauses`);
  assert.equal(run(sameValue(MANY, CHANGED)), [false, 4]);
  const slices = (): Value => Array.from({ length: 10 }, () => OTHERS.slice(0, STEP_EVENTS));
  assert.ok(run(sameValue(slices(), slices()))[1] >= 10, "between lists that are as long as a slice");
  const numbers = (): number[] => Array.from({ length: LENGTH }, (_, index) => index);
  assert.ok(run(sameValue(numbers(), numbers()))[1] >= 4);
  const nested = (): Value => [[new Map([["a", [numbers(), SHARED]]])]];
  assert.ok(run(sameValue(nested(), nested()))[1] >= 4);
  const lists = (): Value => Array.from({ length: LENGTH }, () => [1]);
  assert.ok(run(sameValue(lists(), lists()))[1] >= 8);
});

test("the events of a list that is compared with itself are not looked at", () => {
  assert.equal(run(sameValue(MANY, MANY)), [true, 0]);
  assert.equal(run(sameValue([MANY, MANY], [MANY, MANY])), [true, 0]);
});

test("a long list is searched with pauses, and a list of events not at all for anything else", () => {
  const numbers = Array.from({ length: LENGTH }, (_, index) => index);
  assert.equal(run(containsValue(numbers, LENGTH - 1))[0], true);
  assert.ok(run(containsValue(numbers, LENGTH - 1))[1] >= 4);
  const { timestamps, durations, ids } = MANY;
  const datas = new Proxy(MANY.datas, {
    get() {
      throw new Error("an event was looked at");
    },
  });
  const untouched = EventBatch.of({ timestamps, durations, ids, datas });
  for (const wanted of [1, "a", null, true, [], new Map(), MANY]) {
    assert.equal(run(containsValue(untouched, wanted)), [false, 0]);
  }
  const item = { list: OTHERS, index: LENGTH - 1 };
  assert.is(run(containsValue(MANY, item))[0], true);
  assert.is(run(containsValue(CHANGED, item))[0], false);
});

test("a query that compares looks again and again whether somebody waits for it", () =>
  withBuckets({ window_box: [[0, 1, { app: "a" }]] }, async ({ server }) => {
    /** How often a query asks. */
    async function looksOf(expression: string): Promise<number> {
      let looks = 0;
      const signal = new Proxy(new AbortController().signal, {
        get(target, name) {
          if (name === "aborted") looks++;
          return Reflect.get(target, name, target);
        },
      });
      const query = `e = query_bucket("window_box"); ${"e = concat(e, e);".repeat(16)}
        f = concat(e, e); g = concat(e, e, []); RETURN = ${expression};`;
      assert.equal(await server.query({ timeperiods: ["2024-03-01/2024-03-02"], query, signal }), [true]);
      return looks;
    }
    // The lists are kept from the first query on.
    await looksOf("1 == 1");
    const least = await looksOf("2 == 2");
    const slices = 2 ** 17 / STEP_EVENTS;
    assert.ok((await looksOf("f == g")) >= least + slices - 1);
    assert.ok((await looksOf("contains([f], g)")) >= least + slices - 1);
  }));

test.run();
