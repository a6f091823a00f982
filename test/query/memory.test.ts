// What queries may keep in memory, and when they are stopped.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { EventBatch } from "../../src/domain/batch.js";
import { ActivityError, type Storage } from "../../src/index.js";
import { Memo } from "../../src/query/memo.js";
import { runSteps, type Steps } from "../../src/transforms/steps.js";
import { MemoryBudget } from "../../src/util/memory-budget.js";
import { withServer } from "../harness.js";
import { DAY, type Line, withBuckets } from "./asking.js";

const test = suite("memory of queries");

const MIB = 1024 * 1024;
const EVENTS: Line[] = Array.from({ length: 2_000 }, (_, at) => [at, 1, { app: `app ${at % 7}` }]);
/** A list of 1,024 numbers: 64 KiB by estimate. */
const LIST = `a = [1]; ${"a = a + a; ".repeat(10)}`;
const NAMES = Array.from({ length: 40 }, (_, index) => `x${index}`);

/** Whether a program, or one of its periods, needs more than a MiB. */
async function isTooLarge(query: string, timeperiods: readonly string[] = [DAY]): Promise<boolean> {
  let tooLarge = false;
  await withBuckets(
    { w: EVENTS },
    async ({ server }) => {
      try {
        await server.query({ timeperiods, query });
      } catch (thrown) {
        assert.ok(ActivityError.is(thrown) && thrown.code === "QUERY_TOO_LARGE", String(thrown));
        assert.match(thrown.message, "queryLimits.memoryBytes");
        tooLarge = true;
      }
    },
    { memoryBytes: MIB },
  );
  return tooLarge;
}

const PERIODS = Array.from({ length: 40 }, (_, index) => `2024-03-01T00:00:00Z/2024-03-02T00:00:${10 + index}Z`);
const E = `e = query_bucket("w"); `;

const CASES: readonly (readonly [name: string, query: string, tooLarge: boolean, periods?: readonly string[]])[] = [
  ["many variables", `${LIST} ${NAMES.map((name) => `${name} = a + [1];`).join(" ")} RETURN = 1;`, true],
  ["one variable many times", `${LIST} ${NAMES.map(() => "x = a + [1];").join(" ")} RETURN = 1;`, false],
  ["parts of a list", `${LIST} RETURN = [${NAMES.map(() => "a + [1]").join(", ")}];`, true],
  ["values of a dict", `${LIST} RETURN = {${NAMES.map((name) => `"${name}": a + [1]`).join(", ")}};`, true],
  ["arguments", `${E} RETURN = concat(${NAMES.map(() => "concat(e)").join(", ")});`, true],
  ["arguments one after another", `${E} ${NAMES.map(() => "sum_durations(concat(e));").join(" ")} RETURN = 1;`, false],
  ["arguments in each other", `${E} RETURN = sum_durations(${"concat(".repeat(40)}e${")".repeat(40)});`, false],
  ["a long text", `t = "0123456789"; ${"t = t + t; ".repeat(16)} RETURN = t;`, true],
  ["results of many periods", `${LIST} RETURN = a;`, true, PERIODS],
  ["small results of many periods", `${LIST} RETURN = 1;`, false, PERIODS],
];

for (const [name, query, tooLarge, periods] of CASES) {
  test(`${name}: ${tooLarge ? "too large" : "allowed"}`, async () => {
    assert.is(await isTooLarge(query, periods), tooLarge);
  });
}

/** A storage that gives events without end. */
function endless(watch: () => void): Storage {
  const inner = memory();
  let id = 0;
  return {
    ...inner,
    async read() {
      async function* batches(): AsyncGenerator<EventBatch> {
        for (;;) {
          watch();
          const events = Array.from({ length: 1_000 }, () => ({ id: ++id, timestamp: id, duration: 0, data: { id } }));
          yield EventBatch.from(events);
        }
      }
      return { version: undefined, batches: batches() };
    },
  };
}

test("a read ends as soon as it has given more than may be kept", async () => {
  let pulls = 0;
  await withServer(
    { door: "process", storage: endless(() => pulls++), queryLimits: { memoryBytes: MIB } },
    async ({ server }) => {
      await server.query({ timeperiods: [DAY], query: `RETURN = query_bucket("b");` }).then(
        () => assert.unreachable(),
        (thrown) => {
          assert.is(thrown.code, "QUERY_TOO_LARGE");
        },
      );
      assert.ok(pulls < 40, `${pulls} chunks of 1,000 events of 32 bytes each`);
    },
  );
});

test("a read ends when nobody waits for its query any more", async () => {
  const leaving = new AbortController();
  let pulls = 0;
  const storage = endless(() => {
    if (++pulls === 5) leaving.abort();
  });
  await withServer({ door: "process", storage }, async ({ server }) => {
    const query = `RETURN = query_bucket("b");`;
    await server.query({ timeperiods: [DAY], query, signal: leaving.signal }).then(
      () => assert.unreachable(),
      (thrown) => assert.is(thrown.name, "AbortError"),
    );
    assert.ok(pulls <= 6, `${pulls} chunks`);
  });
});

test("what was made of lists is remembered up to a size", () => {
  const memo = new Memo(new MemoryBudget(10 * MIB));
  const list = EventBatch.from(Array.from({ length: 10_000 }, (_, at) => ({ timestamp: at, duration: 1, data: {} })));
  let made = 0;
  function copy(name: number): void {
    runSteps(memo.compute(`copy ${name}`, [list], copied()));
  }
  function* copied(): Steps<EventBatch> {
    made++;
    yield;
    return list.slice(1);
  }
  for (let name = 0; name < 100; name++) for (let time = 0; time < 3; time++) copy(name);
  assert.is(made, 100, "the same is made once");
  for (let name = 0; name < 100; name++) copy(name);
  assert.ok(made > 160, `${made - 100} of 100 lists of 320,000 bytes were forgotten, where 10 MiB may be kept`);
});

test.run();
