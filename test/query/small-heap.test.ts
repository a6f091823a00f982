// A query in a process with a small heap is answered or refused: the process goes on in either case.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import v8 from "node:v8";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBudget, DEFAULT_LIMITS, type QueryBudget } from "../../src/query/budget.js";
import { QueryLoad } from "../../src/query/load.js";
import { bytesOf } from "../../src/query/size.js";
import { withFolder } from "../adapters/folder.js";
import { programOf } from "../program.js";

const test = suite("queries in a small heap");

/** More than a server takes that compiles its sources, and far less than the data of the events. */
const HEAP_MIB = 96;
const EVENTS = 300_000;

async function replyTo(count: number, lines: readonly string[]): Promise<string> {
  let reply = "";
  await withFolder(async (folder) => {
    const { execArgv, file } = programOf(new URL("small-heap-query.ts", import.meta.url));
    const args = [
      ...execArgv,
      `--max-old-space-size=${HEAP_MIB}`,
      file,
      path.join(folder, "data"),
      `${count}`,
      ...lines,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    reply = stdout;
  });
  return reply;
}

test("one that needs more than the heap has is refused", async () => {
  const reply = await replyTo(EVENTS, ['e = query_bucket("b");', 'RETURN = merge_events_by_keys(e, ["title"]);']);
  assert.match(reply, /^503 .*half of the free heap.*QUERY_TOO_LARGE/);
});

test("one that fits is answered", async () => {
  const reply = await replyTo(10_000, ['RETURN = sum_durations(query_bucket("b"));']);
  assert.match(reply, /^200 /);
});

/** Runs with a heap of 1000 MB of which a number of them are used. */
async function withHeap(run: (use: (megabytes: number) => void) => Promise<void>): Promise<void> {
  const before = v8.getHeapStatistics;
  let used = 0;
  v8.getHeapStatistics = () => ({ ...before(), heap_size_limit: 1e9, used_heap_size: used });
  try {
    await run((megabytes) => (used = megabytes * 1e6));
  } finally {
    v8.getHeapStatistics = before;
  }
}

const LIMITS = { ...DEFAULT_LIMITS, memoryBytes: Number.MAX_SAFE_INTEGER };
const LARGE = { nodes: 0, events: 1_000_000, depth: 0 };

function keep(budget: QueryBudget, megabytes: number): void {
  budget.made(megabytes * 1e6 - bytesOf(LARGE), megabytes);
  budget.retain(LARGE);
}

function codeOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

test("a query that waited for others may take what the heap has after them", () =>
  withHeap(async (use) => {
    for (const [before, after, code] of [
      [800, 100, undefined],
      [100, 1000, "QUERY_TOO_LARGE"],
    ] as const) {
      const load = new QueryLoad();
      const [first, second] = [await load.begin(), await load.begin()];
      await first.room(bytesOf(LARGE));
      use(before);
      const budget = createBudget(LIMITS, () => false, second);
      const waiting = budget.awaitMemory(LARGE);
      first.end();
      use(after);
      await waiting;
      assert.is(
        codeOf(() => keep(budget, 400)),
        code,
      );
    }
  }));

test("where the heap of others is the only reason, a query is refused for now", () =>
  withHeap(async (use) => {
    const load = new QueryLoad();
    const [first, second, third] = [await load.begin(), await load.begin(), await load.begin()];
    const budgets = [first, second, third].map((share) => createBudget(LIMITS, () => false, share));
    const [large, other, huge] = budgets as [QueryBudget, QueryBudget, QueryBudget];
    keep(large, 400);
    use(1000);
    assert.is(
      codeOf(() => keep(huge, 600)),
      "QUERY_TOO_LARGE",
      "it would not fit alone",
    );
    third.end();
    use(850);
    assert.is(
      codeOf(() => keep(other, 450)),
      "BUSY",
    );
    first.end();
    assert.is(
      codeOf(() => other.checkSize({ ...LARGE, events: 1 })),
      "BUSY",
      "what the first one held is garbage",
    );
    second.end();
    const alone = createBudget(LIMITS, () => false, await load.begin());
    use(1000);
    assert.is(
      codeOf(() => keep(alone, 450)),
      "QUERY_TOO_LARGE",
    );
  }));

test("data count as often as they were made, whatever number of values share them", () =>
  withHeap(async (use) => {
    const budget = createBudget(LIMITS, () => false);
    const size = { nodes: 0, events: 1000, depth: 0 };
    budget.made(250e6, 250e3);
    use(250);
    for (let values = 0; values < 10; values++) budget.retain(size);
    budget.made(500e6, 500e3);
    use(750);
    assert.throws(() => budget.retain(size), /half of the free heap/);
    for (let values = 0; values < 11; values++) budget.release(size);
    use(0);
    budget.retain({ ...size, events: 1 });
  }));

test("a query alone has half of the heap, however often that is looked at", () =>
  withHeap(async (use) => {
    const budget = createBudget(LIMITS, () => false, await new QueryLoad().begin());
    use(490);
    keep(budget, 490);
    budget.made(20e6, 20);
    assert.is(
      codeOf(() => budget.retain({ ...LARGE, events: 1 })),
      "QUERY_TOO_LARGE",
    );
  }));

test.run();
