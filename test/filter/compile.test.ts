// What meets a filter; docs/reference/filters.md
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { ActivityError } from "../../src/errors.js";
import type { Category } from "../../src/filter/categories.js";
import { activeCategoriesIn } from "../../src/filter/category-sets.js";
import { compileFilter as compile, compileCategories, needsCategories } from "../../src/filter/compile.js";
import type { EventFilter } from "../../src/filter/event-filter.js";
import { parseTerm, type Term } from "../../src/filter/term.js";

const test = suite("filters");

const CATEGORIES: readonly Category[] = [
  { name: ["Work"], rule: { type: "regex", regex: "editor|thesis" } },
  { name: ["Work", "Thesis"], rule: { type: "regex", regex: "THESIS", ignore_case: true } },
  { name: ["Play"], rule: { type: "regex", regex: "game" } },
  { name: ["Never"], rule: { type: "none" } },
  { name: ["Ko\u0308ln"], rule: { type: "regex", regex: "Ko\u0308ln" } },
];

function compileFilter(terms: readonly Term[], categories: readonly Category[]): EventFilter {
  const steps = compileCategories(categories);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return compile(terms, step.value);
  }
}

function filterOf(...texts: readonly string[]): EventFilter {
  return compileFilter(texts.map(parseTerm), CATEGORIES);
}

function meets(filter: EventFilter, data: JsonObject): boolean {
  const steps = filter.decide(data);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const DATA: readonly JsonObject[] = [
  { app: "editor", title: "My Thesis.tex" },
  { app: "game", title: "Level 3", audible: true, tabs: 4 },
  { app: "browser", title: "ÄRGER", deep: { list: ["one", { two: "Nested text" }] }, "a.b": "dotted" },
  { app: "none", constructor: "x", tags: ["red", "blue"] },
];

const CASES: readonly [terms: string, found: readonly number[]][] = [
  ["app=editor", [0]],
  ["app=Editor", []],
  ["!app=editor", [1, 2, 3]],
  ["audible=true", [1]],
  ["tabs=4", [1]],
  ["tags=blue", [3]],
  ["toString=x", []],
  ["title~thesis", [0]],
  ["title~ärger", [2]],
  ["deep~NESTED", [2]],
  ["deep.list~nested", [2]],
  ["deep.list=one", [2]],
  ["a.b=dotted", []],
  ['"a.b"=dotted', [2]],
  ["title~/Level \\d/", [1]],
  ["title~/level \\d/", []],
  ["title~/level \\d/i", [1]],
  ["level", [1]],
  ["nested TEXT", [2]],
  ["/^(red|one)$/", [2, 3]],
  ["category:Work", [0]],
  ["category:Work > Thesis", [0]],
  ["category:Work > Other", []],
  ["category:Play", [1]],
  ["category:Never", []],
  ["category:Uncategorized", [2, 3]],
  ["!category:Uncategorized", [0, 1]],
  ["category:Work & title~thesis", [0]],
  ["category:Work & !title~thesis", []],
  ["!app=none & !app=game", [0, 2]],
  ["/e/ & category:Play", [1]],
];

for (const [terms, found] of CASES) {
  test(`${terms} finds ${found.join(", ") || "nothing"}`, () => {
    const filter = filterOf(...terms.split(" & "));
    const ones = DATA.flatMap((data, index) => (meets(filter, data) ? [index] : []));
    assert.equal(ones, found);
    // Decisions are remembered, by object and by text.
    const batch = EventBatch.from([0, 1, 2, 3, 2].map((at) => ({ timestamp: at, duration: 0, data: DATA[at] ?? {} })));
    const table = {
      size: 4,
      valueAt: (ref: number) => ({ ...DATA[ref] }),
      textAt: (ref: number) => JSON.stringify(DATA[ref]),
    };
    const shared = EventBatch.withTable({ ...columnsOf(batch), refs: [0, 1, 2, 3, 2], table });
    for (const each of [batch, shared]) {
      const rows = [0, 1, 2, 3, 4].filter((row) => decided(filter, each, row));
      assert.equal(rows, [...found, ...(found.includes(2) ? [4] : [])]);
    }
  });
}

function columnsOf({ timestamps, durations, ids }: EventBatch) {
  return { timestamps, durations, ids };
}

function decided(filter: EventFilter, batch: EventBatch, row: number): boolean {
  for (;;) {
    const known = filter.testAt(batch, row);
    if (known !== undefined) return known;
  }
}

for (const form of ["NFC", "NFD"] as const) {
  test(`terms and texts of other forms: terms in ${form}`, () => {
    const texts = ["K\u00f6ln Hbf", "Ko\u0308ln Hbf", "KO\u0308LN HBF", "Koln Hbf"];
    for (const [term, found] of [
      ["K\u00f6ln", [0, 1, 2]],
      ["title~k\u00f6ln", [0, 1, 2]],
      ["title=K\u00f6ln Hbf", [0, 1]],
      ["list=K\u00f6ln Hbf", [0, 1]],
      ["title~/^K\u00f6/", [0, 1]],
      ["/k\u00f6l/i", [0, 1, 2]],
      ["!title~k\u00f6ln", [3]],
      ["Kol", [3]],
      ["category:K\u00f6ln", [0, 1]],
    ] as const) {
      const filter = filterOf(term.normalize(form));
      const met = texts.flatMap((title, index) => (meets(filter, { title, list: [title] }) ? [index] : []));
      assert.equal(met, found, term);
    }
  });
}

test("without terms all data meet a filter", () => {
  assert.ok(filterOf().isEmpty);
  assert.is(filterOf().test({}), true);
});

test("pauses within a search that takes long, and goes on where it was", () => {
  const slow = "(?:.{0,500}a){2}[!?]";
  const text = "ba".repeat(1_000);
  const filter = filterOf(`title~/${slow}/`, "app~x", `/${slow}|yes/`);
  const data = { title: `${text}!`, app: "xyz", other: "yes" };
  let pauses = 0;
  let answer = filter.test(data);
  for (; answer === undefined; answer = filter.test(data)) pauses++;
  assert.ok(pauses > 0);
  assert.is(answer, true);
  // What was begun may be left for other data.
  const other = { ...data, app: "xyzz" };
  filter.test(other);
  assert.is(meets(filter, { ...data, app: "no" }), false);
  assert.is(meets(filter, other), true);
});

test("refuses a pattern with its place, and what takes too long", () => {
  const refused = (work: () => unknown): ActivityError => {
    try {
      work();
    } catch (thrown) {
      if (ActivityError.is(thrown)) return thrown;
    }
    return assert.unreachable("it was taken") as never;
  };
  const bad = refused(() => filterOf("title~/a(b/"));
  assert.is(bad.code, "INVALID_INPUT");
  assert.match(bad.message, /filter 'title~\/a\(b\/': .* of the pattern/);
  const badRule = refused(() =>
    compileFilter([parseTerm("category:A")], [{ name: ["A", "B"], rule: { type: "regex", regex: "(" } }]),
  );
  assert.match(badRule.message, /category 'A > B': .* of the pattern/);
  const long = refused(() => meets(filterOf("title~/(a|aa)+\\1{3}b/"), { title: "a".repeat(100) }));
  assert.is(long.code, "QUERY_TOO_LARGE");
});

test("pauses between the patterns of categories", () => {
  const many = Array.from({ length: 100 }, (_, index): Category => {
    return { name: [`Category ${index}`], rule: { type: "regex", regex: `word${index}` } };
  });
  const steps = compileCategories(many);
  let pauses = 0;
  while (steps.next().done !== true) pauses++;
  assert.is(pauses, 100);
});

test("takes the categories in force from the settings", () => {
  assert.ok(needsCategories([parseTerm("!category:A")]));
  assert.not.ok(needsCategories([parseTerm("category=A")]));
  const classes = [
    { name: ["A"], rule: { type: "regex", regex: "x", select_keys: ["app"], priority: 100 } },
    { name: ["A", "B"], rule: { regex: "x", weight: 20 } },
    "no category",
  ];
  const filter = compileFilter([parseTerm("category:A > B")], activeCategoriesIn({ classes }));
  assert.is(meets(filter, { app: "x" }), false);
  assert.is(meets(filter, { title: "x" }), true);
  const team = { id: "team", categories: [{ name: ["A", "B"], rule: { type: "regex", regex: "none" } }] };
  const settings = { classes, category_sets: [team], active_set_ids: ["team"] };
  assert.is(meets(compileFilter([parseTerm("category:A > B")], activeCategoriesIn(settings)), { title: "x" }), false);
});

test.run();
