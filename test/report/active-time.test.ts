// Where reports go beyond the programs of clients: time away, time that runs backwards, several hosts.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";

const test = suite("active time of reports");

type Span = readonly [start: number, length: number, data: JsonObject];

/** Runs a server with buckets: `currentwindow w desk` has a type, an ID and a hostname. */
async function withHosts(
  given: Readonly<Record<string, readonly Span[]>>,
  body: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = createTestServer({ clock: "2024-03-03T00:00:00Z" });
  try {
    for (const [key, spans] of Object.entries(given)) {
      const [type = "", id = "", hostname = ""] = key.split(" ");
      const events = spans.map(([start, length, data]) => ({
        timestamp: new Date(Date.UTC(2024, 2, 1, 10) + start * 1000).toISOString(),
        ...{ duration: { seconds: length }, data },
      }));
      await server.buckets.create(id, { type, client: "test", hostname }, events);
    }
    await body(server);
  } finally {
    await server.close();
  }
}

const DAY = { date: "2024-03-01", groups: ["app", "site", "project"] };
const EDITS: readonly Span[] = [[3600, 32_400, { file: "f", language: "l", project: "p" }]];

test("a browser and an editor left open while everybody is away do not count", () =>
  withHosts(
    {
      "currentwindow w desk": [[0, 36_000, { app: "Firefox", title: "x" }]],
      "afkstatus a desk": [
        [0, 7200, { status: "not-afk" }],
        [7200, 28_800, { status: "afk" }],
      ],
      "web.tab.current aw-watcher-web-firefox desk": [[0, 36_000, { url: "https://www.example.com/a", title: "A" }]],
      "app.editor.activity e desk": EDITS,
      "app.editor.activity f laptop": EDITS,
    },
    async (server) => {
      const { totals, groups } = await server.report({ ...DAY, hosts: ["desk"] });
      assert.equal([totals.active, groups["site"]?.seconds, groups["project"]?.seconds], [7200, 7200, 3600]);
      const alone = await server.report({ ...DAY, hosts: ["laptop"] });
      assert.is(alone.groups["project"]?.seconds, 32_400);
    },
  ));

for (const [kind, id] of [
  ["a computer", "w"],
  ["a phone", "aw-watcher-android"],
] as const) {
  test(`time that runs backwards takes nothing from the rest of ${kind}`, () =>
    withHosts(
      {
        [`currentwindow ${id} host`]: [
          [0, 60, { app: "Code", title: "x" }],
          [1000, -500, { app: "Odd", title: "y" }],
          [2000, 30, { app: "Mail", title: "z" }],
        ],
      },
      async (server) => {
        const { totals, groups } = await server.report(DAY);
        assert.is(totals.active, 90);
        assert.equal(
          groups["app"]?.rows.map(({ key, seconds }) => [key, seconds]),
          [
            ["Code", 60],
            ["Mail", 30],
          ],
        );
      },
    ));
}

test("time of several hosts counts once", () =>
  withHosts(
    {
      "currentwindow long a": [[0, 60, { app: "Long" }]],
      "currentwindow short b": [0, 1, 2].map((index): Span => [index * 20, 20, { app: `Short ${index}` }]),
      "currentwindow phone c": [[30, 60, { app: "Phone" }]],
    },
    async (server) => {
      const { totals, groups } = await server.report({ ...DAY, groups: ["host"] });
      assert.is(totals.active, 90);
      assert.equal(
        new Map(groups["host"]?.rows.map(({ key, seconds }) => [key, seconds])),
        new Map([
          ["a", 60],
          ["b", 60],
          ["c", 60],
        ]),
      );
    },
  ));

test.run();
