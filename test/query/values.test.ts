// Variables hold values (docs/reference/compatibility.md#evaluation): random programs over random data, with data that
// cannot be changed.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { EventBatch } from "../../src/domain/batch.js";
import type { JsonValue } from "../../src/domain/json.js";
import type { Storage } from "../../src/index.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { DAY, type Line, withBuckets } from "./asking.js";
import { pick } from "./programs.js";

const test = suite("values of variables");

const ROUNDS = sizeOf("PROGRAM_ROUNDS", { short: 25, long: 60 });
const STATEMENTS = 12;
const RULES = `[[["A"], {"regex": "(?i)ed"}], [["A", "B"], {"regex": "^x", "select_keys": ["title"]}]]`;

/** Calls that give a list of events, with places for lists. */
const CALLS: readonly string[] = [
  'query_bucket("one")',
  'query_bucket("two")',
  "flood($)",
  "flood($, 600)",
  "sort_by_timestamp($)",
  "sort_by_duration($)",
  "limit_events($, 5)",
  "concat($, $)",
  "$ + $",
  "period_union($, $)",
  "filter_period_intersect($, $)",
  "union_no_overlap($, $)",
  'filter_keyvals($, "app", ["editor", 1])',
  'exclude_keyvals($, "app", ["editor", [1]])',
  'filter_keyvals_regex($, "title", "^[a-x]")',
  'merge_events_by_keys($, ["app"])',
  'merge_events_by_keys($, ["app", "$category"])',
  'chunk_events_by_key($, "app")',
  "split_url_events($)",
  'simplify_window_titles($, "title")',
  `categorize($, ${RULES})`,
  'tag($, [["t", {"regex": "e"}], ["s", {"regex": "x"}]])',
  'merge_subwatcher_fields($, $, ["title", "url"], "sub_wins")',
];
/** Uses that give something else, or that keep a list within another value. */
const OTHERS = ["d = sum_durations($)", "d = $ == $", "d = contains([$], $)", 'd = {"k": [$, $]}', "print($, $)"];

const DATA: readonly Line[2][] = [
  { app: "editor", title: "(3) x" },
  { app: "editor", title: "a" },
  { app: "browser", url: "https://www.example.org/p?q#f", title: "● x" },
  { app: [1], title: 5 },
  { title: "FPS: 60.1", app: "x" },
  {},
];

function randomLines(random: () => number): Line[] {
  return Array.from({ length: intOf(random, 0, 30) }, () => [
    intOf(random, 0, 300),
    intOf(random, 0, 30),
    pick(random, DATA),
  ]);
}

/** Statements, each of which sets one more variable: `v0`, `v1` and so on. */
function randomStatements(random: () => number): string[] {
  const statements = ['v0 = query_bucket("one");', 'v1 = query_bucket("two");'];
  for (let index = 2; index < STATEMENTS; index++) {
    const filled = (text: string): string =>
      text.replaceAll("$ ", "$").replaceAll(/\$(?![a-z])/g, () => `v${intOf(random, 0, index - 1)} `);
    const other = random() < 0.3 ? `${filled(pick(random, OTHERS))};` : "";
    statements.push(`v${index} = ${filled(pick(random, CALLS))};${other}`);
  }
  return statements;
}

function frozen<T extends JsonValue>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) frozen(member as JsonValue);
  return Object.freeze(value);
}

/** A storage that gives out data which nobody can change; an attempt throws. */
function freezing(inner: Storage): Storage {
  return {
    ...inner,
    async read(bucketId, range) {
      const { version, batches } = await inner.read(bucketId, range);
      async function* frozenBatches(): AsyncGenerator<EventBatch> {
        for await (const batch of batches) {
          for (const data of batch.datas) frozen(data);
          yield batch;
        }
      }
      return { version, batches: frozenBatches() };
    },
  };
}

test("no statement changes what a variable holds that was set before", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = randomOf(seed);
    await withServer({ door: "process", storage: freezing(memory()) }, async ({ server }) => {
      for (const id of ["one", "two"]) {
        const events = randomLines(random).map(([start, length, data]) => ({
          timestamp: new Date(Date.UTC(2024, 2, 1, 10) + start * 1000),
          duration: { seconds: length },
          data,
        }));
        await server.buckets.create(id, { type: "test", client: "test", hostname: "box" }, events);
      }
      const stored = JSON.stringify(await server.events.read("one").toArray());
      const statements = randomStatements(random);
      const printedAfter = async (count: number): Promise<string[]> => {
        const names = Array.from({ length: count }, (_, index) => `v${index}`);
        const query = `${statements.slice(0, count).join("\n")} RETURN = [${names}];`;
        const [values] = await server.query({ timeperiods: [DAY], query });
        return (values as JsonValue[]).map((value) => JSON.stringify(value));
      };
      const first: string[] = [];
      for (let count = 1; count <= STATEMENTS; count++) {
        const printed = await printedAfter(count);
        for (const [index, text] of first.entries()) {
          assert.is(printed[index], text, `seed ${seed}: v${index} after\n${statements.slice(0, count).join("\n")}`);
        }
        first.push(printed.at(-1) as string);
      }
      assert.equal(await printedAfter(2), first.slice(0, 2), `seed ${seed}: a later query reads other events`);
      assert.is(JSON.stringify(await server.events.read("one").toArray()), stored, `seed ${seed}: the storage`);
    });
  }
});

/** Pairs of sums that must be equal, over random events `e` and `f`. */
const SUMS: readonly (readonly [name: string, one: string, other: string])[] = [
  ["what a filter keeps and drops", "kept + dropped", "concat(e, [])"],
  ["groups by a key, with what has none", 'merge_events_by_keys(e, ["app"]) + without', "e"],
  ["groups by two keys, with what has none of them", 'merge_events_by_keys(e, ["app", "title"]) + bare', "e"],
  ["neighbours in chunks", 'chunk_events_by_key(e, "app") + without', "e"],
  ["sorted events", "sort_by_duration(sort_by_timestamp(e))", "e"],
  ["lists one behind the other", "concat(e, f, e)", "e + f + e"],
  ["classified events", `tag(categorize(split_url_events(e), ${RULES}), [])`, "e"],
  ["a list laid over nothing, and nothing over a list", "union_no_overlap(e, []) + union_no_overlap([], f)", "e + f"],
  ["a cut to oneself", "filter_period_intersect(ue, ue)", "ue"],
  ["cuts to each other", "filter_period_intersect(ue, uf)", "filter_period_intersect(uf, ue)"],
  ["both and their cut", "period_union(ue, uf) + filter_period_intersect(ue, uf)", "ue + uf"],
  ["an event laid over with fields", 'merge_subwatcher_fields(ue, uf, ["app"])', "ue"],
];

test("sums add up", async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const random = randomOf(seed);
    await withBuckets({ one: randomLines(random), two: randomLines(random) }, async ({ ask }) => {
      const setting = `
        e = query_bucket("one"); f = query_bucket("two");
        kept = filter_keyvals(e, "app", ["editor"]); dropped = exclude_keyvals(e, "app", ["editor"]);
        without = exclude_keyvals(e, "app", ["editor", "browser", "x", [1]]);
        bare = exclude_keyvals(without, "title", ["a"]);
        ue = period_union(e, []); uf = period_union(f, []);`;
      const sums = SUMS.flatMap(([, one, other]) => [`sum_durations(${one})`, `sum_durations(${other})`]);
      const values = (await ask(`${setting} RETURN = [${sums.join(", ")}];`)) as number[];
      for (const [index, [name]] of SUMS.entries()) {
        assert.is(values[2 * index], values[2 * index + 1], `seed ${seed}: ${name}`);
      }
    });
  }
});

test.run();
