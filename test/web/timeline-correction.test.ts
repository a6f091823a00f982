// How time is corrected on the timeline: gaps, dragged ranges, running entries, empty devices, suggested rules.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { ruleOf } from "../../src/web/filter/rule.js";
import { proposalsForEvent, siteOfEvent } from "../../src/web/views/timeline/event-rule.js";
import { emptyHosts, hasEvents, mayHaveEvents, rangeToFold, undecided } from "../../src/web/views/timeline/folding.js";
import { gapAt, isLabelable, snapped, snappingAt } from "../../src/web/views/timeline/gaps.js";
import { type Hit, hitAt } from "../../src/web/views/timeline/hits.js";
import { type Lane, lanesOf, lanesOfHost, rowsOf } from "../../src/web/views/timeline/lanes.js";
import type { Assembly } from "../../src/web/views/timeline/pieces.js";
import { withRunning } from "../../src/web/views/timeline/running.js";
import { type Tile, tileOf } from "../../src/web/views/timeline/tiles.js";

const test = suite("correcting time on the timeline");

const BEGIN = Date.parse("2024-03-01T00:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A tile of an hour with events, each `[from, to]` in minutes. */
function tile(...spans: readonly (readonly [from: number, to: number])[]): Tile {
  const iso = (minutes: number): string => new Date(BEGIN + minutes * MINUTE).toISOString();
  const events = spans.map(([from, to], index) => {
    return { id: index + 1, timestamp: iso(from), duration: (to - from) * 60, data: {} };
  });
  return tileOf({ start: iso(0), end: iso(60), count: events.length, events });
}

function lane(type: string, host = "desk"): Lane {
  return { bucketId: `${type} ${host}`, name: type, type, host };
}

const minutes = (instant: number): number => (instant - BEGIN) / MINUTE;

test("a gap reaches from the event before to the one after, or to the limits", () => {
  const tiles = [tile([0, 10], [5, 20], [30, 31], [45, 60])];
  const limits = { start: BEGIN - HOUR, end: BEGIN + 2 * HOUR };
  const gap = (at: number): readonly number[] => {
    const { start, end } = gapAt(tiles, BEGIN + at * MINUTE, limits);
    return [minutes(start), minutes(end)];
  };
  assert.equal(gap(25), [20, 30]);
  assert.equal(gap(40), [31, 45]);
  assert.equal(
    [gapAt([tile()], BEGIN, limits), gapAt([tile([30, 31])], BEGIN, limits).end],
    [limits, BEGIN + 30 * MINUTE],
  );
});

test("ends of a drag move to the ends of events nearby, elsewhere to whole minutes, and to seconds if zoomed in", () => {
  const tiles = [tile([0, 10], [30.3, 31])];
  const to = (at: number, millisPerPixel: number): number =>
    minutes(snapped(BEGIN + at * MINUTE, tiles, snappingAt(millisPerPixel)));
  assert.is(to(11, 60_000), 10);
  assert.is(to(30, 60_000), 30.3);
  assert.is(to(20.4, 5000), 20);
  assert.is(to(20.2, 500), 20.2);
});

test("gaps are labeled in lanes that always have an event, blocks of absence in those of presence", () => {
  const hit = (type: string, data: JsonObject, id: number | undefined = 1): Hit => {
    return { lane: lane(type), start: 0, end: 1, seconds: 1, data, id, count: 1, isCut: false };
  };
  assert.equal(
    ["afkstatus", "currentwindow", "general.stopwatch", "web.tab.current"].map((type) =>
      isLabelable(lane(type), undefined),
    ),
    [true, true, true, false],
  );
  assert.ok(isLabelable(lane("afkstatus"), hit("afkstatus", { status: "afk" })));
  assert.not(isLabelable(lane("afkstatus"), hit("afkstatus", { status: "not-afk" })));
  assert.not(isLabelable(lane("currentwindow"), hit("currentwindow", { status: "afk" })));
});

test("a running entry reaches until now, also when its start is out of view", () => {
  const assembly: Assembly = { pieces: [], gaps: [], wanted: [] };
  const entry = { id: 7, label: "a", isRunning: true, start: BEGIN - HOUR, end: BEGIN - HOUR, data: { label: "a" } };
  const now = BEGIN + 10 * MINUTE;
  const { pieces } = withRunning(assembly, [entry], now);
  const hit = hitAt(
    lane("general.stopwatch"),
    pieces.map((piece) => piece.tile),
    BEGIN,
    1,
  );
  assert.equal([hit?.id, hit?.start, hit?.end, hit?.isCut, hit?.data], [7, BEGIN - HOUR, now, false, { label: "a" }]);
  assert.is(withRunning(assembly, [], now), assembly);
});

test("devices without events are folded, unless no other would be left, and unknown ones stay as they are", () => {
  const lanes = [lane("a", "desk"), lane("b", "desk"), lane("a", "phone"), lane("general.stopwatch", "unknown")];
  const folded = (known: Readonly<Record<string, boolean>>, ...before: readonly string[]): readonly string[] => [
    ...emptyHosts(new Map(lanes.map((one) => [one, known[one.bucketId]])), new Set(before)),
  ];
  const desk = { "a desk": false, "b desk": true };
  assert.equal(folded({ ...desk, "a phone": false }), ["phone"]);
  assert.equal(folded({ ...desk, "a phone": true }, "phone"), []);
  assert.equal([folded(desk), folded(desk, "phone")], [[], ["phone"]]);
  assert.equal(folded({ "a desk": false, "b desk": false, "a phone": true }), ["desk"]);
  assert.equal(folded({ "b desk": false, "a phone": true }), []);
  const asked = (known: Readonly<Record<string, boolean>>, ...before: readonly string[]): readonly string[] =>
    undecided(new Map(lanes.map((one) => [one, known[one.bucketId]])), new Set(before)).map((one) => one.bucketId);
  assert.equal([asked(desk), asked({ "b desk": true })], [["a phone"], ["a phone"]]);
  assert.equal(asked({ "b desk": false }), ["a desk", "a phone"]);
  assert.equal(asked({ ...desk, "a phone": false }, "phone"), ["a phone"]);
  assert.equal(folded({ "a desk": false, "b desk": false, "a phone": false }), []);
});

test("a day decides about folding, so that zooming in changes nothing", () => {
  const calendar = { zone: "UTC", startOfDay: "00:00", startOfWeek: "Monday" } as const;
  const day = { start: BEGIN, end: BEGIN + 24 * HOUR };
  assert.equal(rangeToFold({ start: BEGIN + HOUR, end: BEGIN + 2 * HOUR }, calendar), day);
  assert.equal(rangeToFold({ start: BEGIN + HOUR, end: BEGIN + 24 * HOUR }, calendar), {
    start: BEGIN + HOUR,
    end: BEGIN + 24 * HOUR,
  });
  const metadata = (start: string | null, end: string | null) => ({ metadata: { start, end } });
  assert.ok(mayHaveEvents(metadata("2024-01-01T00:00:00Z", "2024-03-01T00:00:01Z"), day));
  assert.not(mayHaveEvents(metadata("2024-01-01T00:00:00Z", "2024-03-01T00:00:00Z"), day));
  assert.not(mayHaveEvents(metadata(null, null), day));
  const piece = { tile: tile([5, 6]), start: BEGIN, end: BEGIN + HOUR };
  const known: Assembly = { pieces: [piece], gaps: [], wanted: [] };
  assert.is(hasEvents(known, day), true);
  const later = { start: BEGIN + 10 * MINUTE, end: BEGIN + 20 * MINUTE };
  assert.is(hasEvents(known, later), false);
  assert.is(hasEvents({ ...known, gaps: [later] }, later), undefined);
});

test("folded devices have a row without lanes; the stopwatch belongs to a person and is above, for each device", () => {
  const bucket = (id: string, type: string, hostname: string) => {
    const metadata = { start: null, end: null };
    return { id, type, hostname, name: null, client: "c", created: "", data: {}, metadata, last_updated: null };
  };
  const lanes = lanesOf(
    [
      bucket("aw-watcher-window_desk", "currentwindow", "desk"),
      bucket("aw-watcher-window_lap", "currentwindow", "lap"),
      bucket("aw-stopwatch", "general.stopwatch", "unknown"),
    ],
    ["desk", "lap"],
  );
  const rows = rowsOf(lanes, { host: 20, lane: 30 }, new Set(["lap"]));
  assert.equal(
    rows.map((row) => `${row.kind === "host" ? row.host : row.lane.name} ${row.top}`),
    ["Stopwatch 0", "desk 30", "Windows 50", "lap 80"],
  );
  assert.equal(
    lanesOfHost(lanes, "lap").map(({ bucketId }) => bucketId),
    ["aw-stopwatch", "aw-watcher-window_lap"],
  );
});

test("rules are proposed from what an event is about", () => {
  const rules = (type: string, data: JsonObject): readonly unknown[] =>
    proposalsForEvent(type, data).map(({ conditions }) => ruleOf(conditions).regex);
  assert.equal(rules("currentwindow", { app: "Code", title: "a.ts" }), ["^a\\.ts$", "a\\.ts", "^Code$"]);
  assert.equal(rules("currentwindow", { app: "C++", title: " " }), ["^C\\+\\+$"]);
  assert.equal(rules("general.stopwatch", { label: "Call (Kim)", running: false }), ["^Call \\(Kim\\)$"]);
  assert.equal(rules("app.editor.activity", { project: "/home/acme-shop", file: "b" }), ["acme-shop"]);
  assert.equal(rules("afkstatus", { status: "afk", title: "x" }), []);
  assert.equal(rules("x", { n: 1 }), []);
  // A browser's window has the title of its page, and more.
  const pages = "web.tab.current";
  assert.equal(rules(pages, { title: "Weather", url: "https://a.example/" }), ["Weather"]);
  assert.equal(rules(pages, { title: "(2) Inbox 7 - Mail" }), ["\\(2\\) Inbox 7 - Mail", "Inbox 7", "Mail"]);
  assert.is(siteOfEvent(pages, { url: "https://www.a.example:8080/b" }), "a.example");
  for (const [type, url] of [
    [pages, "[redacted]"],
    [pages, "about:blank"],
    ["currentwindow", "https://a.example/"],
  ] as const) {
    assert.is(siteOfEvent(type, { url }), undefined);
  }
});

test.run();
