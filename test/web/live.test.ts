import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket, ClientEvent } from "../../src/client/index.js";
import { activityOf, groupWatchers, hostToShow, isWatcher, type Watched } from "../../src/web/live/now.js";

const test = suite("what goes on now");

const NOW = Date.parse("2024-03-01T12:00:00Z");

/** A watcher whose newest event began so long ago and lasted so long, in seconds. */
function watched(type: string, ago: number, duration: number, data: ClientEvent["data"] = {}): Watched {
  const [start, end] = [ago, ago - duration].map((seconds) => new Date(NOW - seconds * 1000).toISOString());
  const bucket = { id: `${type}-bucket`, type, hostname: "desk", metadata: { start, end } } as ClientBucket;
  return { bucket, newest: { id: 1, timestamp: String(start), duration, data } };
}

const AT_DESK = watched("afkstatus", 600, 590, { status: "not-afk" });
const AWAY = watched("afkstatus", 300, 298, { status: "afk" });
const WINDOW = watched("currentwindow", 90, 85, { app: "Code", title: "a.ts" });

test("watchers stand in one order, and an empty bucket does not report", () => {
  const empty = { ...watched("app.editor.activity", 0, 0).bucket, metadata: { start: null, end: null } };
  const all = groupWatchers([{ bucket: empty, newest: undefined }, AWAY, WINDOW], NOW);
  assert.equal(
    all.map(({ label, reporting }) => `${label} ${reporting}`),
    ["window 1", "afk 1", "editor 0"],
  );
  assert.is(all[2]?.ageSeconds, undefined);
});

test("several watchers of a kind stand together, the newest first", () => {
  const browsers = [watched("web.tab.current", 7200, 10), watched("web.tab.current", 20, 10), WINDOW];
  const ids = browsers.map((one, at): Watched => ({ ...one, bucket: { ...one.bucket, id: `b${at}` } }));
  assert.equal(groupWatchers(ids, NOW), [
    { bucketIds: ["b2"], label: "window", reporting: 1, ageSeconds: 5 },
    { bucketIds: ["b1", "b0"], label: "web", reporting: 1, ageSeconds: 10 },
  ]);
});

test("one event in 2090 hides neither its watcher nor another host", () => {
  const far = watched("currentwindow", -2_000_000_000, 5, { app: "Odd" });
  const hidden: Watched = { ...far, newest: WINDOW.newest };
  assert.equal(
    groupWatchers([hidden], NOW).map(({ reporting, ageSeconds }) => [reporting, ageSeconds]),
    [[1, 5]],
  );
  assert.is(activityOf([hidden], NOW)?.text, "Code – a.ts");
  assert.is(activityOf([far], NOW), undefined);
  const other: Watched = { ...far, newest: undefined, bucket: { ...far.bucket, hostname: "odd" } };
  const choice = { now: NOW, forgottenMillis: 1000 * 3600 };
  assert.is(hostToShow([other, WINDOW], [undefined], choice), "desk");
  assert.is(hostToShow([other, WINDOW], ["odd"], choice), "desk");
});

test("the host that was chosen comes before that of the server, unless it is silent", () => {
  const [lap, old] = [watched("currentwindow", 3600, 10), watched("currentwindow", 1e6, 10)];
  const all = [WINDOW, ...[lap, old].map((one, at) => ({ ...one, bucket: { ...one.bucket, hostname: `lap${at}` } }))];
  const choice = { now: NOW, forgottenMillis: 7200 * 1000 };
  assert.is(hostToShow(all, ["lap0", "desk"], choice), "lap0");
  assert.is(hostToShow(all, ["lap1", "lap0"], choice), "lap0");
  assert.is(hostToShow(all, [null, undefined], choice), "desk");
});

test("other kinds of buckets are no watchers of the strip", () => {
  assert.not(isWatcher({ type: "general.stopwatch" } as ClientBucket));
  assert.not(isWatcher({ type: "__proto__" } as ClientBucket));
  assert.ok(isWatcher(WINDOW.bucket));
});

test("the activity is the window while somebody is there, and absence otherwise", () => {
  assert.equal(activityOf([WINDOW, AT_DESK], NOW), { isAway: false, text: "Code – a.ts", seconds: 90 });
  assert.equal(activityOf([WINDOW, AWAY], NOW), { isAway: true, text: "Code – a.ts", seconds: 300 });
  assert.equal(activityOf([AT_DESK], NOW), { isAway: false, text: "", seconds: 600 });
});

test("an editor stands in for a window watcher that is not there, and who is silent has no say", () => {
  const editor = watched("app.editor.activity", 40, 30, { project: "tracker", file: "/x/b.ts" });
  const old = watched("currentwindow", 9000, 10, { app: "Old" });
  assert.is(activityOf([editor, old], NOW)?.text, "tracker – /x/b.ts");
  assert.is(activityOf([old], NOW), undefined);
  assert.is(activityOf([], NOW), undefined);
});

test("data may be anything, and an event may be ahead", () => {
  assert.is(activityOf([watched("currentwindow", 5, 5, { app: 7, title: ["x"] })], NOW)?.text, "");
  assert.is(
    activityOf([watched("currentwindow", 5, 5, { app: "", title: "only a title" })], NOW)?.text,
    "only a title",
  );
  assert.is(activityOf([watched("currentwindow", -50, 5, { app: "A" })], NOW)?.seconds, 0);
});

test.run();
