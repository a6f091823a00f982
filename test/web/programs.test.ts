// The page's own programs, held against the recorded answers to those of the clients (conformance/query). Pages are
// the exception: the clients do not cut them to active time (docs/reference/compatibility.md#what-clients-ask, steps 3
// and 4). They are held against the recorded program with exactly the line more that does so, carried out by our
// server; the rest is as recorded.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/domain/json.js";
import { editorProgram } from "../../src/web/editor-programs.js";
import { readName } from "../../src/web/program-text.js";
import {
  androidProgram,
  canonicalProgram,
  desktopProgram,
  type HostSource,
  multideviceProgram,
  type Rules,
} from "../../src/web/programs.js";
import { checkedFetch } from "../api/answer-check.js";
import { withServer } from "../harness.js";
import { DAY, withBuckets } from "../query/asking.js";
import { answerDifference, loadQueryFiles, type QueryFile } from "../query/vectors.js";

const test = suite("programs");

const FILES = new Map(loadQueryFiles().map((file) => [file.name, file]));
const DESK = { window: "aw-watcher-window_desk", afk: "aw-watcher-afk_desk", browsers: [] };
const BROWSERS = ["aw-watcher-web-chrome", "aw-watcher-web-firefox"];

function fileOf(name: string): QueryFile {
  const file = FILES.get(name);
  if (file === undefined) throw new Error(`no file ${name}`);
  return file;
}

/** Rules that a recorded program was sent with. */
function rulesIn(text: string): Rules {
  const [, printed = "[]"] = /categorize\(events, (\[.*\])\);/.exec(text) ?? [];
  // Printed with every doubled backslash halved.
  const pairs: unknown = JSON.parse(printed.replace(/\\(?!")/g, "\\\\"));
  return (pairs as Rules).filter(([, rule]) => rule.type !== "none");
}

type Dict = Readonly<Record<string, unknown>>;

/** The part of a recorded result that our program answers. */
function partOf(given: unknown, result: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return result;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      // Ours alone; see the test of it.
      if (key === "once") return [key, value];
      const wanted = (result as Dict)[key];
      return [key, key === "window" || key === "browser" ? partOf(value, wanted) : wanted];
    }),
  );
}

/** What comes before the line that the page has more than the clients, and that line. */
const AUDIBLE = "not_afk = period_union(not_afk, audible_events);";
const CUT_PAGES = "browser_events = filter_period_intersect(browser_events, not_afk);";

/** Recorded results with pages of active time only. */
async function withPagesCut(
  results: readonly unknown[],
  text: string,
  carryOut: (query: string) => Promise<readonly unknown[]>,
): Promise<readonly unknown[]> {
  if (!text.includes(AUDIBLE)) return results;
  const cut = await carryOut(text.replace(AUDIBLE, `${AUDIBLE}\n${CUT_PAGES}`));
  return results.map((result, index) => {
    const { browser } = cut[index] as Dict;
    return browser === undefined ? result : { ...(result as Dict), browser };
  });
}

type Make = (rules: Rules) => string;

const DESKTOP: readonly (readonly [recorded: string, program: Make])[] = [
  ["webui-full", (rules) => desktopProgram({ ...DESK, browsers: BROWSERS }, { rules }, { activeEvents: true })],
  ["webui-full-one-browser", (rules) => desktopProgram({ ...DESK, browsers: BROWSERS.slice(1) }, { rules })],
  ["webui-full-no-browser", (rules) => desktopProgram(DESK, { rules }, { activeEvents: true })],
  ["webui-full-default-categories", (rules) => desktopProgram({ ...DESK, browsers: BROWSERS }, { rules })],
  ["webui-full-hour", (rules) => desktopProgram({ ...DESK, browsers: BROWSERS }, { rules }, { activeEvents: true })],
  ["webui-full-empty-day", (rules) => desktopProgram({ ...DESK, browsers: BROWSERS }, { rules })],
  [
    "webui-full-always-active",
    (rules) =>
      desktopProgram(
        { ...DESK, browsers: BROWSERS },
        { rules, alwaysActivePattern: "zoom|Evince" },
        { activeEvents: true },
      ),
  ],
  [
    "webui-category-hours",
    (rules) => desktopProgram({ ...DESK, browsers: BROWSERS }, { rules }, { onlyCategories: true }),
  ],
];
const ANDROID: readonly (readonly [recorded: string, program: Make])[] = [
  ["android-app", (rules) => androidProgram("aw-watcher-android-test", { rules })],
  ["android-app-no-rules", (rules) => androidProgram("aw-watcher-android-test", { rules })],
  ["screentime-app", (rules) => androidProgram("aw-import-screentime_ipad", { rules })],
  [
    "screentime-category-hours",
    (rules) => androidProgram("aw-import-screentime_ipad", { rules }, { onlyCategories: true }),
  ],
];
const HOSTS = ["desk", "lap-top.local", "mini"].map(sourceOf);
const MULTIDEVICE: readonly (readonly [recorded: string, program: Make])[] = [
  ["multi-all", (rules) => multideviceProgram(HOSTS, { rules }, { activeEvents: true })],
  ["multi-reverse", (rules) => multideviceProgram([...HOSTS].reverse(), { rules }, { activeEvents: true })],
  ["multi-always-active", (rules) => multideviceProgram(HOSTS, { rules, alwaysActivePattern: "zoom" })],
  ["multi-category", (rules) => multideviceProgram(HOSTS, { rules }, { onlyCategories: true })],
  ["multi-empty-day", (rules) => multideviceProgram(HOSTS, { rules })],
];
const EDITORS = ["aw-watcher-vscode_desk", "aw-watcher-vim_desk"];
const EDITOR: readonly (readonly [recorded: string, program: Make])[] = [
  ["editor-one", () => editorProgram(EDITORS.slice(0, 1))],
  ["editor-two", () => editorProgram(EDITORS)],
  ["editor-morning", () => editorProgram(EDITORS)],
  ["editor-days", () => editorProgram(EDITORS.slice(1))],
];
const WEEK: readonly (readonly [recorded: string, program: Make])[] = [
  ["category-per-day", (rules) => desktopProgram(DESK, { rules }, { onlyCategories: true })],
  ["category-no-afk", (rules) => desktopProgram({ ...DESK, afk: undefined }, { rules }, { onlyCategories: true })],
];

function sourceOf(host: string): HostSource {
  return { kind: "desktop", window: `aw-watcher-window_${host}`, afk: `aw-watcher-afk_${host}`, browsers: [] };
}

for (const [name, cases] of [
  ["14-client-desktop-1.json", DESKTOP],
  ["15-client-android.json", ANDROID],
  ["16-client-multidevice.json", MULTIDEVICE],
  ["17-client-editor.json", EDITOR],
  ["18-client-week.json", WEEK],
] as const) {
  test(`the programs of the page give the numbers recorded in ${name}`, async () => {
    const file = fileOf(name);
    await withServer({ door: "process" }, async ({ server }) => {
      for (const { id, events, ...bucket } of file.buckets) {
        await server.buckets.create(id, bucket);
        const times = events.map(({ duration, ...event }) => ({ ...event, duration: Math.round(duration * 1e6) }));
        await server.events.insert(id, times as never);
      }
      for (const [recorded, make] of cases) {
        const found = file.cases.find((one) => one.name === recorded);
        if (found === undefined) throw new Error(`no case ${recorded}`);
        const text = found.query.join("\n");
        const carryOut = async (query: string): Promise<string> => {
          const response = await checkedFetch(
            "/api/0/query/",
            {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ timeperiods: found.timeperiods, query: [query] }),
            },
            server.fetch,
          );
          const answer = await response.text();
          assert.is(response.status, 200, `${recorded}: ${answer}`);
          return answer;
        };
        const body = await carryOut(make(rulesIn(text)));
        const given = JSON.parse(body) as readonly unknown[];
        const wanted = await withPagesCut(found.expect.target.results ?? [], text, async (query) =>
          JSON.parse(await carryOut(query)),
        );
        const results = wanted.map((result, index) => partOf(given[index], result));
        assert.is(answerDifference({ results }, { status: 200, body }, found.unordered), undefined, recorded);
      }
    });
  });
}

const NAMES: readonly (readonly string[])[] = [
  ["Work", 'say "x"'],
  ["C:\\"],
  ["back\\slash", "end\\"],
  ['both \\"', "日本語 \u{1f600}"],
  ["line\nbreak; # no comment"],
  ["__proto__"],
];

test("names of categories come back as they were, whatever they are made of", async () => {
  await withBuckets({ b: [[0, 60, { app: "Code", title: "x" }]] }, async ({ ask }) => {
    for (const name of NAMES) {
      const rules: Rules = [[name, { type: "regex", regex: "Code" }]];
      assert.equal(await categoriesOf(ask(androidProgram("b", { rules }, { onlyCategories: true }))), [name]);
    }
  });
});

const PATTERNS: readonly (readonly [regex: string, text: string])[] = [
  ["C:\\\\", "C:\\"],
  ['^"quoted"$', '"quoted"'],
  ["\\.ts\\b", "a.ts"],
  ["AC/DC|C\\+\\+", "C++"],
  ["a\nb", "a\nb"],
  ["größe", "größe"],
];

for (const [regex, text] of PATTERNS) {
  test(`the pattern ${JSON.stringify(regex)} still matches ${JSON.stringify(text)} on the server`, async () => {
    await withBuckets({ b: [[0, 60, { app: text, title: "" }]], w: [[0, 60, { app: text }]] }, async ({ ask }) => {
      const rules: Rules = [[["A"], { type: "regex", regex }]];
      assert.equal(await categoriesOf(ask(androidProgram("b", { rules }, { onlyCategories: true }))), [["A"]]);
      // Somebody who was away all the time counts as there.
      const buckets = { window: "w", afk: "b", browsers: [] };
      const events = (await ask(
        canonicalProgram(buckets, { rules, alwaysActivePattern: regex }),
      )) as readonly unknown[];
      assert.is(events.length, 1);
    });
  });
}

test("members of rules that other clients know are sent along, others are not", () => {
  const rule = {
    type: "regex",
    regex: "x",
    ignore_case: true,
    select_keys: ["app"],
    priority: -3,
    color: "red",
  } as const;
  const program = androidProgram("b", { rules: [[["A"], rule]] });
  assert.match(
    program,
    '[["A"], {"type": "regex", "regex": "x", "ignore_case": true, "select_keys": ["app"], "priority": (0 - 3)}]',
  );
  assert.not.match(program, "red");
});

test("a phone beside a computer counts where the computer is silent", async () => {
  const buckets = {
    w: [[0, 60, { app: "Code", title: "x" }]],
    a: [[0, 60, { status: "not-afk" }]],
    p: [[30, 60, { app: "Phone", title: "y" }]],
  } as const;
  await withBuckets(buckets, async ({ ask }) => {
    const sources: readonly HostSource[] = [
      { kind: "desktop", window: "w", afk: "a", browsers: [] },
      { kind: "android", window: "p" },
    ];
    const { window } = (await ask(multideviceProgram(sources, { rules: [] }))) as { window: Dict };
    const apps = window["app_events"] as readonly { duration: number; data: Dict }[];
    assert.equal(
      apps.map(({ duration, data }) => [data["app"], duration]),
      [
        ["Code", 60],
        ["Phone", 30],
      ],
    );
    assert.is(window["duration"], 90);
  });
});

test("pages of a browser that nobody knows count while a program of its name is in front", async () => {
  const buckets = {
    w: [
      [0, 60, { app: "Ladybird+ 2", title: "x" }],
      [60, 60, { app: "Code", title: "x" }],
    ],
    "aw-watcher-web-ladybird+": [[0, 120, { url: "https://www.example.com/a", title: "A" }]],
  } as const;
  await withBuckets(buckets, async ({ ask }) => {
    const program = desktopProgram({ window: "w", browsers: ["aw-watcher-web-ladybird+"] }, { rules: [] });
    const { browser } = (await ask(program)) as { browser: Dict };
    const domains = browser["domains"] as readonly { duration: number; data: Dict }[];
    assert.equal(
      domains.map(({ duration, data }) => [data["$domain"], duration]),
      [["example.com", 60]],
    );
  });
});

test("bucket ids are texts, quotes and all", async () => {
  const id = 'a"b;c';
  await withBuckets({ [id]: [[0, 60, { app: "Code", title: "x" }]] }, async ({ server }) => {
    const [result] = await server.query({ timeperiods: [DAY], query: androidProgram(id, { rules: [] }) });
    assert.is((result as { duration: number }).duration, 60);
  });
});

async function categoriesOf(answer: Promise<JsonValue>): Promise<readonly (readonly string[])[]> {
  const { cat_events: events } = (await answer) as unknown as {
    cat_events: readonly { data: { $category: readonly string[] } }[];
  };
  return events.map(({ data }) => data.$category.map(readName));
}

test.run();
