// The parts of the timeline that need no browser: windows, marks, tiles, lanes, what lies where.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket, ClientTimeline } from "../../src/client/index.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { Classified } from "../../src/web/classifier.js";
import { Classifier } from "../../src/web/classifier.js";
import { hitAt } from "../../src/web/views/timeline/hits.js";
import {
  heightOf,
  type Lane,
  lanesOf,
  lanesOfHost,
  printHidden,
  readHidden,
  rowsOf,
  rowsWithin,
} from "../../src/web/views/timeline/lanes.js";
import { createLooks } from "../../src/web/views/timeline/looks.js";
import { assemble } from "../../src/web/views/timeline/pieces.js";
import {
  clamped,
  instantAt,
  LONGEST,
  panned,
  printWindow,
  readWindow,
  SHORTEST,
  xOf,
  zoomed,
} from "../../src/web/views/timeline/scale.js";
import { axisOf } from "../../src/web/views/timeline/ticks.js";
import { TileStore } from "../../src/web/views/timeline/tile-store.js";
import {
  levelFor,
  parentOf,
  TILE_BINS,
  type Tile,
  type TilePlace,
  tileKey,
  tileLength,
  tileOf,
  tileRequest,
  tilesIn,
  tilesOf,
  tileWindow,
} from "../../src/web/views/timeline/tiles.js";

const test = suite("timeline view");

const NOON = Date.parse("2024-03-01T12:00:00Z");
const HOUR = 3_600_000;
const DAY = { start: NOON - 12 * HOUR, end: NOON + 12 * HOUR };

test("zooming keeps the instant under the pointer at its place", () => {
  const at = NOON + 3 * HOUR;
  const near = zoomed(DAY, 0.25, at);
  assert.is(near.end - near.start, 6 * HOUR);
  assert.ok(Math.abs(xOf(at, near, 1000) - xOf(at, DAY, 1000)) < 1e-6);
  const back = zoomed(near, 4, at);
  assert.ok(Math.abs(back.start - DAY.start) < 1e-3 && Math.abs(back.end - DAY.end) < 1e-3);
});

test("a window is never shorter than a second, longer than the limit, or outside the time that calendars know", () => {
  const short = zoomed(DAY, 1e-12, NOON);
  assert.is(short.end - short.start, SHORTEST);
  assert.ok(short.start <= NOON && short.end >= NOON);
  const long = zoomed(DAY, 1e12, NOON);
  assert.is(long.end - long.start, LONGEST);
  for (const far of [panned(DAY, -1e18), panned(DAY, 1e18), clamped({ start: -9e15, end: 9e15 })]) {
    assert.ok(far.start > 0 && far.end < Date.UTC(2200, 0, 1) && far.end > far.start, JSON.stringify(far));
  }
});

test("a window goes into an address and out of it; what is none is left out", () => {
  const params = new URLSearchParams(printWindow(DAY));
  assert.equal(readWindow(params), DAY);
  const bad = ["", "start=x&end=y", "start=2024-03-01", "start=2024-03-02&end=2024-03-01", "start=&end="];
  for (const text of bad) assert.is(readWindow(new URLSearchParams(text)), undefined, text);
  const odd = readWindow(new URLSearchParams("start=0001-01-01&end=9999-01-01"));
  assert.is(odd && odd.end - odd.start, LONGEST);
});

test("places and instants are the inverse of each other", () => {
  for (const x of [0, 1, 333.5, 999]) assert.ok(Math.abs(xOf(instantAt(x, DAY, 1000), DAY, 1000) - x) < 1e-6);
});

const BERLIN = { width: 1000, zone: "Europe/Berlin", startOfWeek: "Monday" } as const;

test("there are some marks, never too many, in order and inside, from a second to decades", () => {
  for (let length = SHORTEST; length < LONGEST; length *= 1.7) {
    const window = clamped({ start: NOON - length / 2, end: NOON + length / 2 });
    for (const zone of ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns"]) {
      const { ticks, parts } = axisOf(window, { ...BERLIN, zone });
      const what = `${length} ${zone} ${ticks.length}`;
      assert.ok(ticks.length >= 1 && ticks.length <= 16, what);
      assert.ok(parts.length <= 16, what);
      // Years are part of nothing.
      assert.ok((parts[0]?.at ?? 0) <= window.start && (parts.length > 0 || length > 3e10), what);
      assert.ok(
        ticks.every(({ at }, index) => at >= window.start && at <= window.end && at > (ticks[index - 1]?.at ?? 0)),
        what,
      );
    }
  }
});

test("marks of hours and days stand where clocks of the zone show them, also when clocks change", () => {
  const hours = (from: string, to: string, zone: string) => {
    const { ticks } = axisOf({ start: Date.parse(from), end: Date.parse(to) }, { ...BERLIN, zone });
    return ticks.map(({ at }) => new Date(at).toISOString().slice(11, 16)).join(" ");
  };
  // Clocks go from 2 to 3 in the night: there is no mark of 2 of its own.
  assert.is(hours("2024-03-30T23:00Z", "2024-03-31T05:00Z", "Europe/Berlin"), hoursOf("23:00 23:30 00:00 00:30 01:00"));
  const autumn = axisOf({ start: Date.parse("2024-10-26T22:00Z"), end: Date.parse("2024-10-27T10:00Z") }, BERLIN);
  assert.is(autumn.ticks.length, 13);
  const days = axisOf({ start: Date.parse("2024-03-28T00:00Z"), end: Date.parse("2024-04-04T00:00Z") }, BERLIN);
  assert.equal(
    days.ticks.map(({ at }) => new Date(at).toISOString().slice(5, 13)),
    ["03-28T23", "03-29T23", "03-30T23", "03-31T22", "04-01T22", "04-02T22", "04-03T22"],
  );
});

function hoursOf(first: string): string {
  return `${first} 01:30 02:00 02:30 03:00 03:30 04:00 04:30 05:00`;
}

test("weeks begin as the settings say, and months and years with their first day", () => {
  const quarter = { start: Date.parse("2024-01-01T00:00Z"), end: Date.parse("2024-03-20T00:00Z") };
  for (const [startOfWeek, day] of [
    ["Monday", 1],
    ["Sunday", 0],
  ] as const) {
    const { ticks } = axisOf(quarter, { width: 1000, zone: "UTC", startOfWeek });
    assert.ok(ticks.length > 8);
    assert.ok(ticks.every(({ at }) => new Date(at).getUTCDay() === day));
  }
  const years = axisOf({ start: Date.UTC(2010, 5), end: Date.UTC(2024, 5) }, { ...BERLIN, zone: "UTC" });
  assert.ok(years.ticks.every(({ at }) => new Date(at).toISOString().endsWith("-01-01T00:00:00.000Z")));
});

test("a bin is as wide as a pixel or down to half as wide, and tiles cover a window without gap", () => {
  for (let length = SHORTEST; length < LONGEST; length *= 1.3) {
    const window = clamped({ start: NOON - length / 3, end: NOON + (2 * length) / 3 });
    const level = levelFor((window.end - window.start) / 1400);
    const pixels = (2 ** level / (window.end - window.start)) * 1400;
    assert.ok(pixels <= 1 && pixels > 0.35, `${length} ${pixels}`);
    const spans = tilesIn(window, level).map((index) => tileWindow({ level, index }));
    assert.ok(spans.length <= 5);
    assert.ok((spans[0]?.start ?? 0) <= window.start && (spans.at(-1)?.end ?? 0) >= window.end);
    for (const [at, { end }] of spans.slice(0, -1).entries()) assert.is(end, spans[at + 1]?.start);
  }
});

test("a tile asks for all but the last microsecond of its time, and its bins are whole", () => {
  assert.equal(tileRequest([place(1, -1)]), {
    start: "1970-01-01T00:00:00.512000Z",
    end: "1970-01-01T00:00:01.023999Z",
    bins: TILE_BINS,
  });
  const { start, end } = tileRequest([place(-1, -1)]);
  assert.equal([start, end], ["1969-12-31T23:59:59.488000Z", "1969-12-31T23:59:59.999999Z"]);
  assert.is(tileLength(10), TILE_BINS * 1024);
  const parent = parentOf({ bucketId: "b", level: 3, index: -3 }, 2);
  assert.equal(parent, { bucketId: "b", level: 5, index: -1 });
});

const EVENTS: ClientTimeline = {
  start: "2024-03-01T00:00:00+00:00",
  end: "2024-03-01T01:00:00+00:00",
  count: 3,
  events: [
    { id: 1, timestamp: "2024-03-01T00:00:00+00:00", duration: 3600, data: { app: "long" } },
    { id: 2, timestamp: "2024-03-01T00:10:00.500000+00:00", duration: 60, data: { app: "short" } },
    { id: 3, timestamp: "2024-03-01T00:30:00+00:00", duration: -5, data: { app: "negative" } },
  ],
};
const BINS: ClientTimeline = {
  start: "2024-03-01T00:00:00+00:00",
  end: "2024-03-01T01:00:00+00:00",
  count: 5000,
  bin_duration: 3.5,
  bins: [
    { index: 0, count: 4000, covered: 3.5, data: 0 },
    { index: 2, count: 1000, covered: 0.875, data: 1 },
  ],
  data: [{ app: "a" }, { app: "b" }],
};
const BEGIN = Date.parse("2024-03-01T00:00:00Z");
const LANE: Lane = { bucketId: "b", name: "Windows", type: "currentwindow", host: "desk" };

test("bins of an answer become spans of time", () => {
  const tile = tileOf(BINS);
  assert.equal([...tile.starts], [BEGIN, BEGIN + 7000]);
  assert.equal([...tile.ends], [BEGIN + 3500, BEGIN + 10_500]);
  assert.equal([...tile.shares], [1, 0.25]);
  assert.ok(tile.isBinned);
});

test("one answer for adjacent tiles becomes that of each", () => {
  const places = [place(5), place(6)];
  const { start, end, bins: count } = tileRequest(places);
  assert.equal([start, end, count], ["1970-01-01T00:00:05.120000Z", "1970-01-01T00:00:07.167999Z", 2 * TILE_BINS]);
  const bin = { count: 1, covered: 0.001, data: 0 };
  const bins = [0, TILE_BINS - 1, TILE_BINS, 2 * TILE_BINS - 1].map((index) => ({ ...bin, index }));
  const binned = tilesOf({ start, end, count: 9999, bin_duration: 0.001, bins, data: [{}] }, places);
  assert.equal(
    binned.map(({ starts }) => [...starts]),
    [
      [5120, 6143],
      [6144, 7167],
    ],
  );
  const events = [
    { id: 1, timestamp: start, duration: 2.047999, data: { app: "over both" } },
    { id: 2, timestamp: "1970-01-01T00:00:06.100Z", duration: 0.044, data: { app: "ends between" } },
    { id: 3, timestamp: "1970-01-01T00:00:06.144Z", duration: 0, data: { app: "between" } },
    { id: 4, timestamp: "1970-01-01T00:00:07Z", duration: -1, data: { app: "negative" } },
  ];
  const single = tilesOf({ start, end, count: 4, events }, places);
  assert.equal(
    single.map(({ ids, starts, ends }) => [...ids].map((id, at) => [id, starts[at], ends[at]])),
    [
      [
        [1, 5120, 6144],
        [2, 6100, 6144],
      ],
      [
        [1, 6144, 7167.999],
        [2, 6144, 6144],
        [3, 6144, 6144],
        [4, 7000, 7000],
      ],
    ],
  );
  const hit = hitAt(LANE, single, 6000, 1);
  assert.equal([hit?.start, hit?.end, hit?.isCut], [5120, 7167.999, true]);
  assert.is(hitAt(LANE, single, 6120, 1)?.isCut, false);
});

test("of events at one place the newest is hit, else what is near", () => {
  const tiles = [tileOf(EVENTS)];
  const at = (millis: number) => hitAt(LANE, tiles, BEGIN + millis, 1000)?.id;
  assert.is(at(5 * 60_000), 1);
  assert.is(at(10 * 60_000 + 1000), 2);
  assert.is(at(3600_000 + 900), 1);
  assert.is(at(3600_000 + 1100), undefined);
  assert.is(hitAt(LANE, tiles, BEGIN, 1)?.seconds, 3600);
  const bin = hitAt(LANE, [tileOf(BINS)], BEGIN + 8000, 1);
  assert.equal([bin?.id, bin?.count, bin?.seconds, bin?.data], [undefined, 1000, 0.875, { app: "b" }]);
});

test("an event that reaches over two tiles is one", () => {
  const half = (from: number, duration: number): Tile => {
    const timestamp = new Date(BEGIN + from).toISOString();
    return tileOf({ start: null, end: null, count: 1, events: [{ id: 7, timestamp, duration, data: {} }] });
  };
  const hit = hitAt(LANE, [half(0, 10), half(10_000, 5)], BEGIN + 12_000, 1);
  assert.equal([hit?.start, hit?.end, hit?.seconds], [BEGIN, BEGIN + 15_000, 15]);
  const cut = (start: string, end: string): boolean | undefined => {
    const event = { id: 7, timestamp: "2024-03-01T00:00:00Z", duration: 10, data: {} };
    return hitAt(LANE, [tileOf({ start, end, count: 1, events: [event] })], BEGIN, 1)?.isCut;
  };
  assert.is(cut("2024-02-29T23:00:00Z", "2024-03-01T01:00:00Z"), false);
  assert.is(cut("2024-03-01T00:00:00Z", "2024-03-01T01:00:00Z"), true);
  assert.is(cut("2024-02-29T23:00:00Z", "2024-03-01T00:00:10Z"), true);
});

function placed(tiles: readonly (readonly [TilePlace, ClientTimeline])[]): (place: TilePlace) => Tile | undefined {
  const byKey = new Map(tiles.map(([place, answer]) => [tileKey(place), tileOf(answer)]));
  return (place) => byKey.get(tileKey(place));
}

test("a window is put together of its own tiles, of coarser ones meanwhile, or of finer ones", () => {
  const level = 10;
  const [index = 0] = tilesIn({ start: BEGIN, end: BEGIN + 1 }, level);
  const place = { bucketId: "b", level, index };
  const window = tileWindow(place);
  const draw = (...tiles: (readonly [TilePlace, ClientTimeline])[]) => {
    const { pieces, gaps, wanted } = assemble("b", window, level, placed(tiles));
    return [pieces.length, gaps.length, wanted.map((one) => one.level).join()];
  };
  assert.equal(draw(), [0, 1, "10"]);
  assert.equal(draw([place, BINS]), [1, 0, "10"]);
  assert.equal(draw([parentOf(place, 3), BINS]), [1, 0, "10"]);
  assert.equal(draw([{ bucketId: "b", level: 9, index: 2 * index + 1 }, BINS]), [1, 1, "10"]);
  // Single events are all there are, so nothing finer is wanted.
  assert.equal(draw([parentOf(place, 3), EVENTS]), [1, 0, "13"]);
  assert.equal(draw([parentOf(place, 3), EVENTS], [place, EVENTS]), [1, 0, "13"]);
  assert.equal(draw([{ ...parentOf(place, 3), bucketId: "other" }, EVENTS]), [0, 1, "10"]);
});

function bucket(id: string, type: string, hostname: string, name: string | null = null): ClientBucket {
  const metadata = { start: null, end: null };
  return { id, type, hostname, name, client: "c", created: "", data: {}, metadata, last_updated: null };
}

test("lanes stand by host, then by type, and have short names", () => {
  const lanes = lanesOf(
    [
      bucket("zz", "mystery", "desk"),
      bucket("aw-watcher-vim_desk", "app.editor.activity", "desk"),
      bucket("aw-watcher-web-firefox_desk", "web.tab.current", "desk"),
      bucket("aw-watcher-afk_desk", "afkstatus", "desk"),
      bucket("aw-watcher-window_desk", "currentwindow", "desk"),
      bucket("odd", "x", "__proto__"),
      bucket("n", "x", "(a+)+$", "My own"),
      bucket("", "", ""),
    ],
    ["__proto__", "desk"],
  );
  assert.equal(
    lanes.map(({ host, name }) => `${host}: ${name}`),
    [
      ...["__proto__: odd", "desk: Windows", "desk: Presence", "desk: Web · firefox", "desk: Editor · vim"],
      ...["desk: zz", ": ", "(a+)+$: My own"],
    ],
  );
  assert.equal(
    lanesOfHost(lanes, "__proto__").map(({ name }) => name),
    ["odd"],
  );
  assert.is(lanesOfHost(lanes, "desk").length, 5);
  assert.equal(
    lanesOfHost(lanes, "").map(({ bucketId }) => bucketId),
    [""],
  );
  assert.is(lanesOfHost(lanes, undefined), lanes);
  assert.is(lanesOfHost(lanes, "gone"), lanes);
  const rows = rowsOf(lanes, { host: 20, lane: 30 });
  assert.is(heightOf(rows), 4 * 20 + 8 * 30);
  assert.is(heightOf(rowsOf([], { host: 20, lane: 30 })), 0);
});

test("of many rows only those in sight are taken", () => {
  const lanes = Array.from({ length: 500 }, (_, at) => ({ ...LANE, bucketId: `b${at}` }));
  const rows = rowsOf(lanes, { host: 28, lane: 34 });
  const shown = rowsWithin(rows, 1000, 1500);
  assert.ok(shown.length >= 15 && shown.length <= 20, String(shown.length));
  assert.ok((shown[0]?.top ?? 0) <= 1000 && (shown.at(-1)?.top ?? 0) >= 1500 - 34);
  assert.equal(rowsWithin([], 0, 100), []);
  assert.is(rowsWithin(rows, 0, 1e9).length, rows.length);
});

test("hidden lanes go into an address and out of it, whatever they are called", () => {
  const hidden = new Set(["a,b", "ü &=#", "__proto__", "%"]);
  assert.equal(readHidden(printHidden(hidden) ?? ""), hidden);
  assert.is(printHidden(new Set()), undefined);
  assert.equal([...readHidden("%E0%A4,x")], ["%E0%A4", "x"]);
});

test("classes of equal data are requested once, and again after a failure", async () => {
  const asked: number[] = [];
  let fails = false;
  let changes = 0;
  const classifier = new Classifier(
    async (data) => {
      asked.push(data.length);
      if (fails) throw new Error("away");
      return data.map(({ app }) => ({ category: [String(app)], matches: true }));
    },
    () => changes++,
  );
  await classifier.load([{ app: "a" }, { app: "a" }, { app: "b" }]);
  await classifier.load([{ app: "b" }, { app: "a" }]);
  assert.equal(asked, [2]);
  assert.equal(classifier.of({ app: "b" })?.category, ["b"]);
  assert.is(classifier.of({ app: "c" }), undefined);
  await until(() => changes === 1);
  assert.equal(classifier.of({ app: "c" })?.category, ["c"]);
  for (const app of ["x", "y", "z"]) classifier.of({ app });
  const meanwhile = [classifier.load([{ app: "v" }]), classifier.load([{ app: "w" }])];
  await Promise.all(meanwhile);
  assert.equal(asked.splice(2), [5], "what is wanted at once is asked for at once");
  fails = true;
  await classifier.load([{ app: "d" }]).catch(() => undefined);
  fails = false;
  await classifier.load([{ app: "d" }]);
  assert.equal(asked, [2, 1, 1, 1]);
  await classifier.load(Array.from({ length: 1100 }, (_, number) => ({ app: number })));
  assert.equal(asked.slice(4), [500, 500, 100]);
});

test("looks of odd data: a label in one line, and a colour, always", () => {
  const of = ({ app }: JsonObject): Classified => ({
    category: [app === "Code" ? "Work" : "Uncategorized"],
    matches: true,
  });
  const look = createLooks("category", [{ name: ["Work"], rule: { type: "regex", regex: "Code" } }], { of });
  assert.is(look("currentwindow", { app: "Code", title: "a" }).category, "Work");
  assert.is(look("currentwindow", { app: "Other" }).category, "Uncategorized");
  assert.is.not(look("afkstatus", { status: "afk" }).color, look("afkstatus", { status: "not-afk" }).color);
  assert.is(look("afkstatus", { status: "not-afk" }).label, "Active");
  assert.is(look("web.tab.current", { title: "a", audible: false }).label, "a");
  assert.is(look("other", { x: "b", incognito: false }).label, "b");
  const odd = [{}, { app: null }, { title: "x\n".repeat(10_000) }, { a: { b: [1] } }, { status: 5 }, { url: "no url" }];
  for (const type of ["currentwindow", "afkstatus", "web.tab.current", "app.editor.activity", "", "__proto__"]) {
    for (const data of [...odd, JSON.parse('{"__proto__":"y"}')]) {
      const { color, label } = look(type, data);
      assert.match(color, /^#[0-9a-f]{6}$/);
      assert.ok(label.length <= 240 && !label.includes("\n"));
    }
  }
  const kind = createLooks("kind", [], { of });
  const page = (url: string) => kind("web.tab.current", { url, title: "" }).color;
  assert.is(page("https://a.example/1"), page("https://a.example/2"));
});

/** A store over answers that are given by hand. */
function handStore() {
  const asked: { places: readonly TilePlace[]; signal: AbortSignal; give(tile: Tile): void; fail(): void }[] = [];
  let now = NOON;
  let changes = 0;
  let isFollowing = false;
  const store = new TileStore({
    fetch: (places, signal) =>
      new Promise<readonly Tile[]>((resolve, reject) => {
        const give = (tile: Tile): void => resolve(places.map(() => tile));
        asked.push({ places, signal, give, fail: () => reject(new Error("failed")) });
      }),
    changed: () => void changes++,
    now: () => now,
    isFollowing: () => isFollowing,
  });
  const follow = (is: boolean): void => {
    isFollowing = is;
  };
  const pass = (millis: number): void => {
    now += millis;
  };
  return { store, asked, pass, follow, changes: () => changes };
}

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round++) {
    assert.ok(round < 2000, "this did not happen");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function place(index: number, level = 0): TilePlace {
  return { bucketId: "b", level, index };
}

test("the store fetches a few tiles at a time, keeps them, and asks again when they are no longer fresh", async () => {
  const { store, asked, pass, changes } = handStore();
  const wanted = Array.from({ length: 6 }, (_, index) => place(2 * index));
  store.want(wanted);
  assert.is(asked.length, 0);
  await until(() => asked.length === 4);
  assert.ok(store.isBusy);
  asked[0]?.give(tileOf(BINS));
  await until(() => asked.length === 5 && changes() === 1);
  assert.is(store.get(place(0))?.length, 2);
  for (const { give } of asked.slice(1)) give(tileOf(BINS));
  await until(() => asked.length === 6);
  asked[5]?.give(tileOf(BINS));
  await until(() => !store.isBusy);
  store.want(wanted);
  assert.not(store.isBusy);
  pass(301_000);
  store.want(wanted);
  await until(() => asked.length === 10);
  assert.is(store.get(place(0))?.length, 2, "what was there is shown meanwhile");
  store.close();
});

test("a store that follows changes only asks for tiles that have changed, also while they are loaded", async () => {
  const { store, asked, pass, follow } = handStore();
  follow(true);
  const wanted = [place(0), place(2)];
  store.want(wanted);
  await until(() => asked.length === 2);
  store.expire("b", { start: 0, end: 1 });
  for (const { give } of asked) give(tileOf(BINS));
  await until(() => asked.length === 3);
  assert.equal(asked[2]?.places, [place(0)]);
  assert.ok(store.isOutdated("b"));
  asked[2]?.give(tileOf(BINS));
  await until(() => !store.isBusy);
  assert.not(store.isOutdated("b"));
  pass(1e9);
  store.expire("another");
  store.refresh();
  assert.is(asked.length, 3);
  store.expire();
  store.refresh();
  assert.is(asked.length, 5);
  follow(false);
  store.close();
});

test("the store aborts what is not wanted any more, and what comes of it is not kept", async () => {
  const { store, asked } = handStore();
  store.want([place(1)]);
  await until(() => asked.length === 1);
  store.want([place(2)]);
  assert.ok(asked[0]?.signal.aborted);
  asked[0]?.give(tileOf(BINS));
  await until(() => asked.length === 2);
  assert.is(store.get(place(1)), undefined);
  store.close();
  assert.ok(asked[1]?.signal.aborted);
});

test("adjacent tiles of a bucket come in one request, which goes on while one of them is wanted", async () => {
  const { store, asked, follow } = handStore();
  follow(true);
  const other = { ...place(1), bucketId: "other" };
  store.want([place(1), place(0), place(2), other, place(4)]);
  await until(() => asked.length === 3);
  assert.equal(
    asked.map(({ places }) => places),
    [[place(0), place(1), place(2)], [other], [place(4)]],
  );
  store.want([place(2), place(3)]);
  assert.equal(
    asked.map(({ signal }) => signal.aborted),
    [false, true, true],
  );
  store.expire("b", { start: 0, end: 1 });
  asked[0]?.give(tileOf(BINS));
  await until(() => asked.length === 4);
  assert.equal(asked[3]?.places, [place(3)]);
  store.want([place(0), place(1)]);
  await until(() => asked.length === 5);
  assert.equal(asked[4]?.places, [place(0), place(1)], "they may have changed meanwhile");
  store.close();
});

test("the store tells of a failure in sight, and does not ask again by itself", async () => {
  const { store, asked } = handStore();
  store.want([place(1)]);
  await until(() => asked.length === 1);
  asked[0]?.fail();
  await until(() => store.failure !== undefined);
  store.want([place(1)]);
  assert.not(store.isBusy);
  assert.is(asked.length, 1);
  store.retry();
  assert.is(asked.length, 2);
  asked[1]?.give(tileOf(BINS));
  await until(() => store.get(place(1)) !== undefined);
  assert.is(store.failure, undefined);
});

test("the store lets the oldest tiles go when there are too many, but never what is in sight", async () => {
  const { store, asked } = handStore();
  const count = TILE_BINS;
  const bins = Array.from({ length: count }, (_, index) => ({ index, count: 2, covered: 1, data: 0 }));
  const answer = tileOf({ ...BINS, bins });
  for (let index = 0; index < 700; index++) {
    store.want([place(0), place(index)]);
    store.retry();
    for (const { give } of asked.splice(0)) give(answer);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const left = Array.from({ length: 700 }, (_, index) => store.get(place(index))).filter(Boolean).length;
  assert.ok(left > 400 && left < 600, String(left));
  assert.ok(store.get(place(0)) !== undefined && store.get(place(699)) !== undefined);
  store.close();
});

test.run();
