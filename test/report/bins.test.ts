import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";

const test = suite("bins of reports");

type Part = readonly [time: string, minutes: number, data: JsonObject];

async function withDays(body: (server: TestServer) => Promise<void>): Promise<void> {
  const server = createTestServer({ clock: "2024-03-02T18:00:00Z" });
  const add = (id: string, type: string, ...parts: readonly Part[]) =>
    server.buckets.create(
      id,
      { type, client: "test", hostname: "desk" },
      parts.map(([time, minutes, data]) => ({ timestamp: `2024-03-${time}:00Z`, duration: `${minutes}m`, data })),
    );
  try {
    await server.settings.put("classes", [{ name: ["Work", "Code"], rule: { type: "regex", regex: "editor" } }]);
    await add(
      "aw-watcher-window_desk",
      "currentwindow",
      ["01T10:00", 30, { app: "editor", title: "a", size: 1 }],
      ["01T10:30", 30, { app: "mail", title: "a", size: 2 }],
      ["01T12:00", 20, { app: "editor", title: "b", size: 1 }],
      // Crosses the start of the next day.
      ["02T03:50", 20, { app: "mail", title: "night" }],
    );
    await add(
      "aw-watcher-code_desk",
      "app.editor.activity",
      ["01T10:05", 5, { project: "red", file: "a.ts" }],
      ["01T12:10", 5, { project: "blue", file: "b.ts" }],
    );
    await body(server);
  } finally {
    await server.close();
  }
}

const DAYS = { date: "2024-03-01", to: "2024-03-02", by: "day" } as const;
const at = (time: string): number => Date.parse(`2024-03-${time}:00Z`) * 1000;

test("a list in bins has its rows with their first and last moment, in each bin", () =>
  withDays(async (server) => {
    const { bins } = await server.report({ ...DAYS, groups: [{ by: "app", inBins: true }, "title"] });
    assert.equal(
      bins.map(({ lists }) => lists?.["app"]?.rows.map(({ key, seconds, first, last }) => [key, seconds, first, last])),
      [
        [
          ["editor", 3000, at("01T10:00"), at("01T12:20")],
          ["mail", 2400, at("01T10:30"), at("02T04:00")],
        ],
        [["mail", 600, at("02T04:00"), at("02T04:10")]],
      ],
    );
    assert.equal(Object.keys(bins[0]?.lists ?? {}), ["app"]);
    assert.is(bins[0]?.breaks, undefined);
  }));

test("the limit cuts rows, not the time of the list", () =>
  withDays(async (server) => {
    const { bins } = await server.report({ ...DAYS, groups: [{ by: "app", inBins: true, limit: 1 }] });
    const list = bins[0]?.lists?.["app"];
    assert.equal(
      list?.rows.map(({ key }) => key),
      ["editor"],
    );
    assert.equal([list?.seconds, list?.first, list?.last], [5400, at("01T10:00"), at("02T04:00")]);
  }));

test("rows of categories have their name, rows of titles their app and categories", () =>
  withDays(async (server) => {
    const groups = ["category", "title", "project"].map((by) => ({ by, inBins: true }));
    const { bins } = await server.report({ ...DAYS, groups });
    const { category, title, project } = bins[0]?.lists ?? {};
    assert.equal(
      category?.rows.map(({ name, seconds }) => [name, seconds]),
      [
        [["Work", "Code"], 3000],
        [["Uncategorized"], 2400],
      ],
    );
    assert.equal(
      title?.rows.map(({ key, app, categories }) => [key, app, categories?.map(({ name }) => name.join(">"))]),
      [
        ["a", "editor", ["Work>Code"]],
        ["a", "mail", ["Uncategorized"]],
        ["b", "editor", ["Work>Code"]],
        ["night", "mail", ["Uncategorized"]],
      ],
    );
    assert.equal(
      project?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["blue", 300],
        ["red", 300],
      ],
    );
  }));

test(":KEY sums up windows by any key", () =>
  withDays(async (server) => {
    const { groups } = await server.report({ date: "2024-03-01", groups: [":size"] });
    assert.equal(
      groups[":size"]?.rows.map(({ key, seconds }) => [key, seconds]),
      [
        ["1", 3000],
        ["2", 1800],
        [null, 600],
      ],
    );
  }));

test("breaks are gaps in all activity, whatever the filter and the lists", () =>
  withDays(async (server) => {
    const shortestBreak = 3600;
    const breaksOf = async (request: object) => (await server.report({ ...DAYS, ...request })).bins[0]?.breaks;
    const noon = { start: at("01T11:00"), end: at("01T12:00"), seconds: 3600 };
    const evening = { start: at("01T12:20"), end: at("02T03:50"), seconds: 55_800 };
    assert.equal(await breaksOf({ shortestBreak }), [noon, evening]);
    assert.equal(await breaksOf({ shortestBreak, filter: ["app=mail"] }), [noon, evening]);
    assert.equal(await breaksOf({ shortestBreak, groups: ["project"] }), [noon, evening]);
    assert.equal(await breaksOf({ shortestBreak: 3601 }), [evening]);
    assert.equal((await server.report({ ...DAYS, shortestBreak })).bins[1]?.breaks, []);
  }));

test("the active time of another range is that of its own report, also when the rest is known", () =>
  withDays(async (server) => {
    for (const given of [
      {},
      { filter: ["app=mail"] },
      { hosts: ["desk"], groups: ["app"], compare: "previous" },
    ] as const) {
      const request = { date: "2024-03-02", ...given };
      const { bins } = await server.report({ ...given, date: "2024-02-20", to: "2024-03-02", by: "day" });
      const alone = await server.report(request);
      for (const by of ["day", "week"] as const) {
        const { around, ...rest } = await server.report({
          ...request,
          around: { date: "2024-02-20", to: "today", by },
        });
        assert.equal(rest, alone);
        const days = around?.map(({ start, end, active }) => ({ start, end, active }));
        if (by === "day")
          assert.equal(
            days,
            bins.map(({ start, end, active }) => ({ start, end, active })),
          );
        assert.is(
          days?.reduce((sum, { active }) => sum + active, 0),
          bins.reduce((sum, { active }) => sum + active, 0),
        );
      }
    }
    const refused = (around: { date: string; to: string; by: "hour" | "day" }) =>
      server.report({ around }).then(
        () => "",
        ({ message }: Error) => message,
      );
    assert.match(await refused({ date: "2024-03-02", to: "2024-03-01", by: "day" }), /^around\.to must not be before/);
    assert.match(await refused({ date: "2024-03-02", to: "soon", by: "day" }), /^around\.to must be a date/);
    assert.match(await refused({ date: "2020-01-01", to: "2024-03-01", by: "hour" }), /^around\.by must make at most/);
  }));

test.run();
