// A query in a process with a small heap is answered or refused: the process goes on in either case.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createBudget, DEFAULT_LIMITS } from "../../src/query/budget.js";
import { freeHeapBytes } from "../../src/util/heap.js";
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
  assert.match(reply, /^503 .*half of the heap that is free.*QUERY_TOO_LARGE/);
});

test("one that fits is answered", async () => {
  const reply = await replyTo(10_000, ['RETURN = sum_durations(query_bucket("b"));']);
  assert.match(reply, /^200 /);
});

test("data count as often as they were made, whatever number of values share them", () => {
  const free = freeHeapBytes() ?? 0;
  const budget = createBudget({ ...DEFAULT_LIMITS, memoryBytes: Number.MAX_SAFE_INTEGER }, () => false);
  const size = { nodes: 0, events: 1000, depth: 0 };
  budget.made(free / 4, free / 4000);
  for (let values = 0; values < 10; values++) budget.keeps(size);
  budget.made(free / 2, free / 2000);
  assert.throws(() => budget.keeps(size), /half of the heap that is free/);
  for (let values = 0; values < 11; values++) budget.frees(size);
  budget.keeps({ ...size, events: 1 });
});

test.run();
