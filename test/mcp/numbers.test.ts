// long: 180 s
// Each number of each tool over random data is that of the report, and each tool discloses only what its level allows.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { DISCLOSURES } from "../../src/domain/key-scope.js";
import type { TestServer } from "../../src/testing/index.js";
import { intOf, randomOf } from "../contract/case.js";
import { seedOf, sizeOf } from "../faults/sizes.js";
import { withTestServer } from "../harness.js";
import { withMcp } from "./client.js";

const test = suite("numbers and disclosure of tools");

const ROUNDS = sizeOf("MCP_ROUNDS", { short: 1, long: 20 });
const CLOCK = "2024-03-08T18:00:00Z";
const RULE = { category: ["Tried"], regex: "b", ignore_case: false };
const CLASSES = [
  { name: ["Work"], rule: { type: "regex", regex: "a" } },
  { name: ["Work", "Deep"], rule: { type: "regex", regex: "ab" } },
];

// biome-ignore lint/suspicious/noExplicitAny: results of many tools, compared as a whole.
type Any = any;
type Api = ReturnType<typeof connect>;
type Request = NonNullable<Parameters<Api["report"]>[0]>;

const PERIODS: readonly (readonly [words: string, request: Request])[] = [
  ["today", {}],
  ["this week", { period: "week" }],
  ["2024-03-05..2024-03-07", { date: "2024-03-05", to: "2024-03-07" }],
];

const LISTS = ["category", "app", "site", "title", "language", "host", "url", "project", "file"];

/** Fields of rows that tools show. */
function rowsOf(group: Any): Any {
  return group.rows.map(({ key, app, name, seconds, share, change }: Any) => {
    return { key, app, name, seconds, share, change };
  });
}

function isNone(name: readonly string[] | undefined): boolean {
  return name?.length === 1 && name[0] === "Uncategorized";
}

/** An app is shown as it is spelled most of the time, which may differ in uncategorized time. */
function lower(name: string | null | undefined): string | null | undefined {
  return name?.toLowerCase() ?? name;
}

/** What each tool must return by reports of the same period. */
const TOOLS: readonly {
  readonly name: string;
  readonly args?: object;
  /** Only for today. */
  readonly isNow?: boolean;
  compare(result: Any, report: (request: Request) => Promise<Any>, api: TestServer): Promise<void>;
}[] = [
  {
    name: "now",
    isNow: true,
    async compare({ totals, groups, latest }, report) {
      const expected = await report({ groups: ["category"], by: "hour" });
      assert.equal(totals, expected.totals);
      assert.equal(rowsOf(groups.category), rowsOf(expected.groups.category));
      assert.equal(latest, expected.bins.filter(({ active }: Any) => active > 0).slice(-1));
    },
  },
  {
    name: "summary",
    args: { groups: LISTS, compare: true, limit: 1000 },
    async compare({ totals, groups, compared }, report) {
      const expected = await report({ groups: LISTS, limit: 1000, compare: "previous" });
      assert.equal([totals, compared.totals], [expected.totals, expected.compared.totals]);
      for (const list of LISTS) {
        assert.equal(rowsOf(groups[list]), rowsOf(expected.groups[list]), list);
        const { total, seconds } = expected.groups[list];
        assert.equal([groups[list].total, groups[list].seconds], [total, seconds], list);
      }
    },
  },
  ...(["hour", "day", "week", "month"] as const).map((by) => ({
    ...{ name: "timeline", args: { by } },
    async compare({ bins, totals }: Any, report: (request: Request) => Promise<Any>) {
      const expected = await report({ by, groups: ["category"] });
      assert.equal(totals, expected.totals);
      assert.equal(
        bins,
        expected.bins.filter(({ active, away }: Any) => active + away > 0),
      );
    },
  })),
  ...(["day", "week"] as const).map((by) => ({
    ...{ name: "timesheet", args: { by } },
    async compare({ bins, totals, groups }: Any, report: (request: Request) => Promise<Any>) {
      const expected = await report({ by, groups: ["category"] });
      assert.equal(totals, expected.totals);
      assert.equal(
        bins,
        expected.bins.filter(({ active }: Any) => active > 0),
      );
      assert.equal(rowsOf(groups.category), rowsOf(expected.groups.category));
    },
  })),
  {
    name: "search",
    args: { text: "A", limit: 1000 },
    async compare({ groups }, report) {
      const expected = await report({ groups: LISTS, limit: 1000 });
      for (const list of ["category", "app", "site", "title"]) {
        const found = rowsOf(expected.groups[list]).filter(({ key }: Any) => key?.toLowerCase().includes("a"));
        assert.equal(rowsOf(groups[list]), found, list);
        assert.equal([groups[list].total, groups[list].seconds], [found.length, expected.groups[list].seconds]);
      }
    },
  },
  {
    name: "goals",
    async compare({ goals }, report) {
      assert.equal(goals, (await report({})).goals);
    },
  },
  {
    name: "uncategorised",
    args: { limit: 1000 },
    async compare({ seconds, groups }, report) {
      const expected = await report({ groups: ["category", "app", "title"], limit: 1000 });
      const none = expected.groups.category.rows.find(({ name }: Any) => isNone(name));
      assert.is(seconds, none?.seconds ?? 0);
      for (const list of ["app", "title"]) {
        const own = expected.groups[list].rows.flatMap(({ key, app, categories = [] }: Any) => {
          const found = categories.find(({ name }: Any) => isNone(name));
          return found ? [[lower(key), lower(app), found.seconds]] : [];
        });
        const shown = groups[list].rows.map(({ key, app, seconds: time }: Any) => [lower(key), lower(app), time]);
        assert.equal(shown.sort(), own.sort(), list);
        assert.is(groups[list].total, own.length);
      }
    },
  },
  {
    name: "suggest_rule",
    args: RULE,
    async compare({ moved, seconds }, report) {
      const tried = { name: RULE.category, rule: { type: "regex", regex: RULE.regex } };
      const own = async (categories?: object[]): Promise<Map<string, number>> => {
        const request = { groups: ["category"], limit: 1000, ...(categories && { categories }) } as Request;
        return new Map((await report(request)).groups.category.rows.map((row: Any) => [String(row.name), row.own]));
      };
      const [before, after] = [await own(), await own([...CLASSES, tried])];
      const names = new Set([...before.keys(), ...after.keys()]);
      const expected = [...names].flatMap((name) => {
        const [was, is] = [before.get(name) ?? 0, after.get(name) ?? 0];
        return Math.abs(is - was) < 1e-7 ? [] : [[name, was, is]];
      });
      const shown = moved.map(({ name, before: was, after: is }: Any) => [String(name), was, is]);
      assert.equal(shown.sort(), expected.sort());
      const gained = expected.reduce((sum, [, was, is]) => sum + Math.max(0, (is as number) - (was as number)), 0);
      assert.ok(Math.abs(seconds - gained) < 1e-6);
    },
  },
];

/** Random events of two hosts. */
async function fillRandom(server: TestServer, seed: number): Promise<void> {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[intOf(random, 0, items.length - 1)] as T;
  const name = () => pick(["a", "ab", "b", "c", "abc", "x", "A"]);
  const add = async (id: string, type: string, hostname: string, dataOf: () => object): Promise<void> => {
    const events = Array.from({ length: intOf(random, 5, 40) }, () => {
      const at = Date.parse("2024-02-28T05:00:00Z") + intOf(random, 0, 9 * 24 * 60) * 60_000;
      return { timestamp: new Date(at).toISOString(), duration: intOf(random, 0, 5400), data: dataOf() as Any };
    });
    await server.buckets.create(id, { type, client: "t", hostname }, events as Any);
  };
  for (const host of ["desk", "laptop"]) {
    await add(`aw-watcher-window_${host}`, "currentwindow", host, () => ({
      app: pick(["firefox", name()]),
      title: name(),
    }));
    if (intOf(random, 0, 2) > 0) {
      await add(`aw-watcher-afk_${host}`, "afkstatus", host, () => ({ status: pick(["afk", "not-afk", "not-afk"]) }));
    }
    await add(`aw-watcher-web-firefox_${host}`, "web.tab.current", host, () => ({
      ...{ url: `https://${name()}.example/${name()}`, title: name() },
    }));
    await add(`aw-watcher-vim_${host}`, "app.editor.activity", host, () => ({
      ...{ file: `/${name()}`, project: name(), language: name() },
    }));
  }
  await server.settings.put("classes", CLASSES as Any);
  await server.settings.put("goals", [{ category: ["Work"], per: "day", goal: 3600 }] as Any);
}

for (let round = 0; round < ROUNDS; round++) {
  const seed = seedOf("MCP_SEED") * 10_000 + round;
  test(`numbers over random data ${seed}`, async () => {
    await withTestServer({ clock: CLOCK, mcp: true }, async (server) => {
      await fillRandom(server, seed);
      const api = connect(server);
      const { key } = await server.keys.add({ name: "k", scopes: ["assistant:titles"] });
      await withMcp(server, { key }, async (client) => {
        const left = new Set((await client.listTools()).tools.map(({ name }) => name));
        for (const { name, args = {}, isNow = false, compare } of TOOLS) {
          left.delete(name);
          for (const [words, period] of isNow ? PERIODS.slice(0, 1) : PERIODS) {
            const call = { name, arguments: isNow ? args : { ...args, period: words } };
            const { isError, structuredContent, content } = await client.callTool(call);
            assert.not(isError, content[0]?.text);
            const result = structuredContent as Any;
            assert.is(result.left_out, undefined, "all rows fit");
            const { coverage, faults, ...plain } = (await api.report(period)) as Any;
            const { first_day, last_day, start, end, time_zone } = plain;
            assert.equal(result.period, { first_day, last_day, start, end, time_zone }, name);
            assert.equal(result.faults, faults, name);
            // Lists of pages and files add their buckets, and a filter the others.
            const times = ({ bucket, seconds, first, last, silent }: Any) => [bucket, seconds, first, last, silent];
            const usual = new Map<string, Any>(coverage.map((each: Any) => [each.bucket, times(each)]));
            const common = result.coverage.filter(({ bucket }: Any) => usual.has(bucket));
            assert.equal(common.map(times), [...usual.values()], name);
            await compare(result, (request) => api.report({ ...period, ...request }) as Promise<Any>, server);
          }
        }
        assert.equal([...left], [], "every tool is compared");
      });
    });
  });
}

/** Texts in data, by the level that may disclose them. */
const MARKERS = {
  host: "markhost",
  app: "markapp",
  language: "marklanguage",
  site: "marksite",
  title: "marktitle",
  path: "markpath",
  project: "markproject",
  file: "markfile",
} as const;
type Marker = keyof typeof MARKERS;

const APPS: readonly Marker[] = ["host"];
/** What each tool may disclose at each level: at each, also what the levels before it disclose. */
const DISCLOSED: Readonly<Record<string, readonly [object, Partial<Record<string, readonly Marker[]>>]>> = {
  now: [{}, { apps: APPS }],
  summary: [{}, { apps: [...APPS, "app"], sites: ["site"], titles: ["title"] }],
  timeline: [{ by: "day" }, { apps: APPS }],
  search: [{ text: "mark" }, { apps: [...APPS, "app"], sites: ["site"], titles: ["title"] }],
  timesheet: [{}, { apps: APPS }],
  goals: [{}, { apps: APPS }],
  uncategorised: [{}, { apps: [...APPS, "app"], titles: ["title"] }],
  suggest_rule: [RULE, { titles: APPS }],
  query: [
    { query: 'RETURN = [query_bucket(find_bucket("aw-watcher-w")), query_bucket(find_bucket("aw-watcher-vim"))];' },
    { query: APPS },
  ],
};

test("each tool with each scope discloses only what the scope allows", async () => {
  await withTestServer({ clock: CLOCK, mcp: true }, async (server) => {
    const hostname = MARKERS.host;
    const at = { timestamp: "2024-03-08T10:00:00Z", duration: "1h" as const };
    const add = (id: string, type: string, data: object) =>
      server.buckets.create(`${id}_${hostname}`, { type, client: "t", hostname }, [{ ...at, data: data as Any }]);
    await add("aw-watcher-window", "currentwindow", { app: `firefox ${MARKERS.app}`, title: MARKERS.title });
    await add("aw-watcher-web-firefox", "web.tab.current", {
      ...{ url: `https://${MARKERS.site}.example/${MARKERS.path}`, title: MARKERS.title },
    });
    const { file, project, language } = MARKERS;
    await add("aw-watcher-vim", "app.editor.activity", { file, project, language });
    const lists: Partial<Record<string, readonly Marker[]>> = {
      apps: [...APPS, "app", "language"],
      sites: ["site"],
      titles: ["title", "path", "project", "file"],
    };
    for (const [index, level] of DISCLOSURES.entries()) {
      const { key } = await server.keys.add({ name: level, scopes: [`assistant:${level}`] });
      const levels = DISCLOSURES.slice(0, index + 1);
      await withMcp(server, { key }, async (client, responses) => {
        const check = async (name: string, args: object, shown: Partial<Record<string, readonly Marker[]>>) => {
          const before = responses.length;
          const { isError, content } = await client.callTool({ name, arguments: args });
          assert.not(isError, content[0]?.text);
          const sent = responses.slice(before).join("");
          const found = (Object.keys(MARKERS) as Marker[]).filter((marker) => sent.includes(MARKERS[marker]));
          const allowed = levels.flatMap((each) => shown[each] ?? []);
          if (name === "query") assert.ok(found.length >= 5, "queries show all data of events");
          else assert.equal(found.sort(), [...allowed].sort(), `${name} at ${level}`);
        };
        const { tools } = await client.listTools();
        for (const { name } of tools) {
          const [args, shown] = DISCLOSED[name] as (typeof DISCLOSED)[string];
          await check(name, args, shown);
        }
        const groups = [
          "category",
          ...levels.flatMap(
            (each) =>
              ({ apps: ["app", "language", "host"], sites: ["site"], titles: ["title", "url", "project", "file"] })[
                each as "apps"
              ] ?? [],
          ),
        ];
        await check("summary", { groups }, lists);
      });
    }
  });
});

test.run();
