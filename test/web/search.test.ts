// The rows of a search: each moment has one.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import { createTestServer } from "../../src/testing/index.js";
import { rangeOf } from "../../src/web/period.js";
import { createSearch, searchedBuckets, type Way } from "../../src/web/views/search/address.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("search view");

const CALENDAR = { zone: "UTC", startOfDay: "00:00", startOfWeek: "Monday" } as const;
const PERIOD = rangeOf("2024-03-01", "2024-03-02", CALENDAR);

test("rows of titles, apps and days add up to the active time, and pages and files to theirs", async () => {
  const random = randomOf(7);
  const server = createTestServer({ clock: "2024-04-01T00:00:00Z" });
  const sums = { windows: 0, pages: 0, files: 0 };
  const events = { windows: [] as object[], pages: [] as object[], files: [] as object[] };
  let at = Date.UTC(2024, 2, 1, 8);
  for (let index = 0; index < 60; index++) {
    const seconds = intOf(random, 1, 300);
    const add = (kind: keyof typeof sums, data: object): void => {
      sums[kind] += seconds;
      events[kind].push({ timestamp: new Date(at), duration: { seconds }, data });
    };
    add("windows", { app: index % 2 ? "Firefox" : "Code", title: `Ticket ${index % 7} of work` });
    if (index % 2) add("pages", { url: `https://one.example/${index % 3}`, title: `Ticket ${index % 7} of work` });
    else add("files", { file: `${index % 4}.ts`, project: "work", language: "ts" });
    at += (seconds + intOf(random, 10, 90)) * 1000;
  }
  try {
    for (const [id, type, hostname, kind] of [
      ["aw-watcher-window_desk", "currentwindow", "desk", "windows"],
      ["aw-watcher-web-firefox", "web.tab.current", "unknown", "pages"],
      ["aw-watcher-vim_desk", "app.editor.activity", "desk", "files"],
    ] as const) {
      await server.buckets.create(id, { type, client: "test", hostname }, events[kind] as never);
    }
    const client = connect(server);
    const buckets = Object.values(await client.buckets.list());
    const total = async (way: Way, filter: readonly string[]) => {
      const search = createSearch(filter, { period: PERIOD, way, host: undefined }, CALENDAR, buckets);
      let seconds = 0;
      for await (const row of client.search({ ...search, group: way as "title" })) seconds += row.seconds;
      return Math.round(seconds);
    };
    for (const way of ["title", "app", "day"] as const) assert.is(await total(way, ["work"]), sums.windows, way);
    assert.is(await total("url", ["work"]), sums.pages);
    assert.is(await total("file", ["work"]), sums.files);
    assert.is(await total("title", ["site=one.example"]), sums.pages);
    assert.is(await total("day", ["project=work"]), sums.files);
  } finally {
    await server.close();
  }
});

test("pages and files are rows of their own where no window is, and the demo is left out", () => {
  const one = (id: string, type: string, hostname: string, data = {}) => ({ id, type, hostname, data });
  const page = one("page", "web.tab.current", "tablet");
  assert.is(searchedBuckets([page], "title", []), undefined);
  const lost = one("lost", "web.tab.current", "unknown");
  assert.is(searchedBuckets([lost], "title", []), undefined);
  const all = [page, lost, one("window", "currentwindow", "desk"), one("timer", "general.stopwatch", "unknown")];
  assert.equal(searchedBuckets(all, "title", ["x"]), ["page", "window", "timer"]);
  assert.equal(searchedBuckets(all, "file", []), []);
  assert.is(searchedBuckets(all, "events", []), undefined);
  const demo = one("demo", "currentwindow", "demo", { demo: true });
  assert.equal(searchedBuckets([all[2] as typeof page, demo], "day", []), ["window"]);
});

test.run();
