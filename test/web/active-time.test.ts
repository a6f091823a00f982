// Where the programs of the page go beyond those of the clients: time away, time that runs backwards, several hosts.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { editorProgram, hostEditorsProgram } from "../../src/web/editor-programs.js";
import { androidProgram, desktopProgram, type HostSource, multideviceProgram } from "../../src/web/programs.js";
import { withBuckets } from "../query/asking.js";

const test = suite("active time");

type Dict = Readonly<Record<string, unknown>>;

const AWAY = {
  w: [[0, 36_000, { app: "Firefox", title: "x" }]],
  a: [
    [0, 7200, { status: "not-afk" }],
    [7200, 28_800, { status: "afk" }],
  ],
  "aw-watcher-web-firefox": [[0, 36_000, { url: "https://www.example.com/a", title: "A" }]],
  e: [[3600, 32_400, { file: "f", language: "l", project: "p" }]],
} as const;

test("a browser and an editor left open while everybody is away do not count", async () => {
  await withBuckets(AWAY, async ({ ask }) => {
    const desk = { window: "w", afk: "a", browsers: ["aw-watcher-web-firefox"] };
    const { window, browser } = (await ask(desktopProgram(desk, { rules: [] }))) as Readonly<Record<string, Dict>>;
    assert.is(window?.["duration"], 7200);
    assert.is(browser?.["duration"], 7200);
    const cut = await ask(hostEditorsProgram([{ editors: ["e"], host: desk }], { rules: [] }));
    assert.is((cut as Dict)["duration"], 3600);
    const beside = [{ editors: ["e"], host: desk }, { editors: ["e"] }];
    assert.is(((await ask(hostEditorsProgram(beside, { rules: [] }))) as Dict)["duration"], 36_000);
    assert.is(((await ask(editorProgram(["e"]))) as Dict)["duration"], 32_400);
  });
});

test("time that runs backwards takes nothing from the rest", async () => {
  const buckets = {
    w: [
      [0, 60, { app: "Code", title: "x" }],
      [1000, -500, { app: "Odd", title: "y" }],
      [2000, 30, { app: "Mail", title: "z" }],
    ],
  } as const;
  await withBuckets(buckets, async ({ ask }) => {
    const canned =
      'RETURN = sum_durations(filter_period_intersect(query_bucket("w"), period_union(query_bucket("w"), [])));';
    assert.is(await ask(canned), 90);
    const desk = { window: "w", browsers: [] };
    const sources: readonly HostSource[] = [
      { kind: "desktop", ...desk },
      { kind: "android", window: "w" },
    ];
    for (const program of [
      desktopProgram(desk, { rules: [] }),
      androidProgram("w", { rules: [] }),
      multideviceProgram(sources, { rules: [] }),
      multideviceProgram(sources.slice(1), { rules: [] }),
    ]) {
      const answer = (await ask(program)) as Dict;
      const { app_events: apps, duration } = (answer["window"] ?? answer) as Dict;
      assert.is(duration, 90, program);
      assert.equal(
        (apps as readonly { duration: number; data: Dict }[]).map(({ duration, data }) => [data["app"], duration]),
        [
          ["Code", 60],
          ["Mail", 30],
        ],
      );
    }
  });
});

test("time of several hosts is also counted once, where the program of the clients counts it several times", async () => {
  const app = (name: string) => ({ app: name, title: "x" });
  const buckets = {
    long: [[0, 60, app("Long")]],
    short: [0, 1, 2].map((index) => [index * 20, 20, app(`Short ${index}`)] as const),
    later: [[100, 60, app("Later")]],
  } as const;
  await withBuckets(buckets, async ({ ask }) => {
    const timesOf = async (...windows: readonly string[]): Promise<readonly unknown[]> => {
      const sources = windows.map((window) => ({ kind: "desktop", window, browsers: [] }) as const);
      const { window, once } = (await ask(multideviceProgram(sources, { rules: [] }))) as {
        window: Dict;
        once: number;
      };
      return [window["duration"], once];
    };
    // The long event cuts the first of the short ones only.
    assert.equal(await timesOf("long", "short"), [100, 60]);
    assert.equal(await timesOf("long", "later"), [120, 120]);
  });
});

test.run();
