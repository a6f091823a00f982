// long: 300 s
// Reports of random data, against the slow reference.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import { createTestServer } from "../../src/testing/index.js";
import { intOf, randomOf } from "../contract/case.js";
import { seedOf, sizeOf } from "../faults/sizes.js";
import { type Answer, type Beat, type Bucket, counted, type Question } from "./reference.js";

const test = suite("reports against a slow reference");

const ROUNDS = sizeOf("REPORT_ROUNDS", { short: 40, long: 1000 });
/** 2024-03-01T04:00:00Z, in half seconds. */
const DAY_START = (Date.UTC(2024, 2, 1, 4) / 1000) * 2;
const DAY = 86_400 * 2;

const APPS = ["editor", "Firefox", "chat"] as const;
const CLASSES: readonly { readonly name: readonly string[]; readonly regex: string; readonly score: JsonValue }[] = [
  { name: ["Work"], regex: "editor|thesis", score: 3 },
  // As for ActivityWatch's web UI, 0 is the score of the parent.
  { name: ["Work", "Writing"], regex: "thesis", score: 0 },
  { name: ["Talk"], regex: "chat", score: "-2" },
];

function scoreOf([top]: readonly string[]): number {
  return top === "Work" ? 3 : top === "Talk" ? -2 : 0;
}

type Random = ReturnType<typeof randomOf>;

/** A random integer from 0. */
function below(random: Random, limit: number): number {
  return intOf(random, 0, limit - 1);
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)] as T;
}

/** Events that touch, overlap, leave short gaps, or contain each other. */
function beats(random: Random, start: number, dataOf: () => JsonObject): Beat[] {
  const all: Beat[] = [];
  let at = start - 60 + 2 * below(random, 100);
  for (let count = 1 + below(random, 9); count > 0; count--) {
    at += 2 * (below(random, 30) - 8);
    const length = 2 * pick(random, [0, 1, 3, 10, 20, 60]);
    all.push({ start: at, end: at + length, data: dataOf() });
    if (below(random, 3) > 0) at += length;
    if (below(random, 12) === 0) at += 2 * pick(random, [299, 300, 301, 400]);
  }
  return all;
}

const WINDOW = (random: Random) => (): JsonObject => ({
  ...(below(random, 8) === 0 ? {} : { app: pick(random, APPS) }),
  ...(below(random, 8) === 0 ? {} : { title: pick(random, ["thesis", "inbox 1", "inbox 2", "call"]) }),
});

/** @param start when the events begin, in half seconds */
function bucketsOf(random: Random, start: number): Bucket[] {
  const all: Bucket[] = [];
  const add = (id: string, type: string, host: string, dataOf: () => JsonObject): void => {
    all.push({ id, type, host, beats: beats(random, start, dataOf) });
  };
  for (const host of ["desk", "laptop"].slice(0, 1 + below(random, 2))) {
    add(`aw-watcher-window_${host}`, "currentwindow", host, WINDOW(random));
    if (below(random, 3) === 0) add(`windows-of-${host}`, "currentwindow", host, WINDOW(random));
    const status = () => ({ status: pick(random, ["afk", "not-afk", "not-afk"]) });
    if (below(random, 4) > 0) add(`aw-watcher-afk_${host}`, "afkstatus", host, status);
    if (below(random, 4) === 0) add(`other-afk_${host}`, "afkstatus", host, status);
    const page = () => ({
      url: pick(random, ["https://one.example/a", "https://one.example/b", "https://two.example/"]),
      ...(below(random, 4) === 0 ? { audible: true } : {}),
    });
    if (below(random, 2) === 0) add(`aw-watcher-web-firefox_${host}`, "web.tab.current", host, page);
    if (below(random, 3) === 0) add(`aw-watcher-web-chat_${host}`, "web.tab.current", host, page);
    const edit = () => ({ file: pick(random, ["a.ts", "b.ts"]), project: pick(random, ["red", "blue"]) });
    if (below(random, 2) === 0) add(`aw-watcher-vim_${host}`, "app.editor.activity", host, edit);
  }
  if (below(random, 4) === 0) {
    add("aw-watcher-android-test", "currentwindow", "phone", () => ({
      ...{ app: pick(random, APPS), classname: pick(random, ["Main", "Chat"]) },
    }));
  }
  return all;
}

const FILTERS: readonly { readonly filter: readonly string[]; readonly meets: Partial<Question> }[] = [
  { filter: [], meets: {} },
  { filter: [], meets: {} },
  { filter: ["app=editor"], meets: { passes: ({ app }) => app === "editor" } },
  { filter: ["!title~inbox"], meets: { passes: ({ title }) => !String(title ?? "").includes("inbox") } },
  { filter: ["category:Work"], meets: { passes: (_, [top]) => top === "Work" } },
  {
    filter: ["site=one.example"],
    meets: {
      passes: (data) => data["$domain"] === "one.example",
      passesPage: (data) => data["$domain"] === "one.example",
    },
  },
  {
    filter: ["project=red", "app=editor"],
    meets: {
      passes: ({ project, app }) => project === "red" && app === "editor",
      passesEdit: ({ project }) => project === "red",
    },
  },
];

function categoryOf(data: JsonObject): readonly string[] {
  const texts = [data["app"], data["title"], data["classname"]].filter((text) => typeof text === "string");
  const found = CLASSES.filter(({ regex }) => texts.some((text) => new RegExp(regex).test(text)));
  const depth = Math.max(0, ...found.map(({ name }) => name.length));
  return found.findLast(({ name }) => name.length === depth)?.name ?? ["Uncategorized"];
}

const SCORED = [
  { by: "app", only: "productive", name: "productive app" },
  { by: "app", only: "distracting", name: "distracting app" },
  { by: "title", only: "distracting", name: "distracting title" },
] as const;

for (let round = 0; round < ROUNDS; round++) {
  const seed = seedOf("REPORT_SEED") * 10_000 + round;
  test(`random data ${seed}`, async () => {
    const random = randomOf(seed);
    // Days of a range are summed up separately: some events cross a border of days.
    const days = below(random, 3);
    const start = DAY_START + days * DAY - (days === 0 ? 0 : 2 * below(random, 150));
    const buckets = bucketsOf(random, start);
    const { filter, meets } = pick(random, FILTERS);
    const pattern = pick(random, ["", "call", "chat"]);
    const server = createTestServer({ clock: "2024-03-09T12:00:00Z" });
    try {
      for (const { id, type, host, beats } of buckets) {
        const events = beats.map(({ start, end, data }) => {
          return { timestamp: new Date(start * 500), duration: { seconds: (end - start) / 2 }, data };
        });
        await server.buckets.create(id, { type, client: "test", hostname: host }, events);
      }
      const classes = CLASSES.map(({ name, regex, score }) => {
        return { name, rule: { type: "regex", regex }, data: { score } };
      });
      await server.settings.put("classes", classes);
      await server.settings.put("always_active_pattern", pattern);
      const hosts = below(random, 3) === 0 ? ["desk"] : [...new Set(buckets.map(({ host }) => host))];
      const names = ["category", "app", "title", "site", "project", "host"];
      // Lists in bins need the events, and all other numbers can come from summaries of days.
      const groups = [...names.map((by) => ({ by, inBins: round % 4 === 0 })), ...SCORED];
      const report = await server.report({ date: "2024-03-01", to: "2024-03-04", hosts, filter, groups, by: "hour" });
      const question: Question = {
        ...{
          start: Math.max(DAY_START, start - 400),
          end: DAY_START + 4 * DAY,
          isFiltered: filter.length > 0,
          ...{ categoryOf, scoreOf },
        },
        browserApps: Object.fromEntries(
          ["desk", "laptop"].flatMap((host) => [
            [`aw-watcher-web-firefox_${host}`, "Firefox"],
            [`aw-watcher-web-chat_${host}`, "chat"],
          ]),
        ),
        isAlwaysActive: ({ app, title }) => pattern !== "" && [app, title].includes(pattern),
        ...{ passes: () => true, passesPage: () => true, passesEdit: () => true },
        ...meets,
      };
      const last = Math.max(...buckets.flatMap(({ beats }) => beats.map(({ end }) => end)));
      compare(report, counted(hosts, buckets, { ...question, end: Math.max(question.start, last + 20) }));
    } finally {
      await server.close();
    }
  });
}

type Report = Awaited<ReturnType<ReturnType<typeof createTestServer>["report"]>>;

function compare({ totals, score, groups, bins }: Report, expected: Answer): void {
  const { active, away, moments, lists, longest } = expected;
  assert.is(totals.active, active / 2, "active");
  assert.is(totals.away, away / 2, "away");
  assert.is(totals.first, moments.length === 0 ? null : (moments[0] as number) * 500_000, "first");
  assert.is(totals.last, moments.length === 0 ? null : ((moments.at(-1) as number) + 1) * 500_000, "last");
  assert.is(totals.longestFocus?.seconds ?? 0, longest / 2, "longest focus");
  const { productive, distracting, points } = expected;
  assert.equal([score?.productive, score?.distracting], [productive / 2, distracting / 2]);
  assert.ok(Math.abs((score?.points ?? Number.NaN) - points / 7200) < 1e-9, "points");
  for (const [name, list] of Object.entries(lists)) {
    const rows = groups[name]?.rows.map((row) => {
      const key = name === "category" ? row.name : name.endsWith("title") ? [row.key, row.app] : row.key;
      return [JSON.stringify(key), row.seconds * 2] as const;
    });
    assert.equal(new Map(rows?.toSorted(byKey)), new Map([...list].toSorted(byKey)), name);
    // Rows of categories in bins are without their subcategories, and hosts have none.
    if (bins[0]?.lists?.[name] === undefined || name === "category" || name === "host") continue;
    assert.equal(sumsOfBins(bins, name), new Map([...list].toSorted(byKey)));
  }
  for (const { start, end, active } of bins) {
    const within = moments.filter((moment) => moment * 500_000 >= start && moment * 500_000 < end);
    assert.is(active, within.length / 2, "a bin");
  }
}

/** The rows of a list, added up from its bins, in half seconds. */
function sumsOfBins(bins: Report["bins"], name: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { lists } of bins) {
    for (const { key, app, seconds } of lists?.[name]?.rows ?? []) {
      const id = JSON.stringify(name === "title" ? [key, app] : key);
      sums.set(id, (sums.get(id) ?? 0) + seconds * 2);
    }
  }
  return new Map([...sums].toSorted(byKey));
}

function byKey([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

test.run();
