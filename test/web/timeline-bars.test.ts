// What is drawn of a lane, in pixels.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientTimeline } from "../../src/client/index.js";
import type { JsonObject } from "../../src/domain/json.js";
import { barsOf } from "../../src/web/views/timeline/bars.js";
import { legendOf } from "../../src/web/views/timeline/legend.js";
import { createLooks } from "../../src/web/views/timeline/looks.js";
import type { Piece } from "../../src/web/views/timeline/paint.js";
import { tileOf } from "../../src/web/views/timeline/tiles.js";

const test = suite("bars of the timeline");

const SECOND = 1000;
const look = createLooks("kind", [], { of: () => undefined });

/** A tile of events, each `app@from+length` in seconds. */
function events(text: string, start: number, end: number): Piece {
  const list = text.split(" ").map((one, index) => {
    const [, app = "", from = "", length = ""] = /^(\w)@([\d.]+)\+([\d.]+)$/.exec(one) ?? [];
    const timestamp = new Date(Number(from) * SECOND).toISOString();
    return { id: index + 1, timestamp, duration: Number(length), data: { app } };
  });
  const answer = { start: null, end: null, count: list.length, events: list };
  return { tile: tileOf(answer), start: start * SECOND, end: end * SECOND };
}

/** A tile of bins of ten seconds, each with seconds that are covered. */
function bins(covered: readonly number[], start: number): Piece {
  const answer: ClientTimeline = {
    start: new Date(start * SECOND).toISOString(),
    end: null,
    count: 5000,
    bin_duration: 10,
    bins: covered.map((seconds, index) => ({ index, count: 9, covered: seconds, data: 0 })),
    data: [{ app: "b" }],
  };
  return { tile: tileOf(answer), start: start * SECOND, end: (start + 10 * covered.length) * SECOND };
}

function drawn(pieces: readonly Piece[], width: number, seconds: number): string {
  const area = { width, window: { start: 0, end: seconds * SECOND } };
  return barsOf(pieces, (data) => look("other", data), area)
    .map(
      ({ left, right, share, look: shown }) =>
        `${shown.name}${left}-${right}${share < 1 ? `:${share.toFixed(1)}` : ""}`,
    )
    .join(" ");
}

test("events are as long as they last, and short ones beside others of their kind are one", () => {
  const lane = events("a@0+20 a@20+30 b@50+2 b@52+2 b@54+2 a@56+1 b@70+1 b@90+1", 0, 100);
  assert.is(drawn([lane], 100, 100), "a0-20 a20-50 b50-56 a56-57 b70-71 b90-91");
});

test("a lane in which some tiles have bins shows of all of them how much is covered", () => {
  const dense = bins([10, 5, 10, 10, 10], 50);
  assert.is(drawn([events("a@0+10 a@20+5 a@25+1 c@27+2", 0, 50), dense], 10, 100), "a0-1 a2-3:0.8 b5-6 b6-7:0.5 b7-10");
  assert.is(drawn([events("a@0+10", 0, 50)], 10, 100), "a0-1");
});

test("far away every lane shows how much is covered, also one of few events", () => {
  const day = 86_400;
  assert.is(drawn([events(`a@0+${day / 2} b@${day}+${day}`, 0, 10 * day)], 10, 10 * day), "a0-1:0.5 b1-2");
});

test("what the filter leaves out is faint, and stands in no legend", () => {
  const classes = { of: ({ app }: JsonObject) => ({ category: [], matches: app === "a" }) };
  const filtered = createLooks("kind", [], classes, true);
  const area = { width: 100, window: { start: 0, end: 100 * SECOND } };
  const bars = barsOf([events("a@0+20 b@20+60", 0, 100)], (data) => filtered("other", data), area);
  assert.equal(
    bars.map(({ look: { isFaint } }) => isFaint),
    [false, true],
  );
  assert.is(filtered("afkstatus", { status: "afk" }).isFaint, false);
  assert.equal(
    legendOf([bars]).map(({ name }) => name),
    ["a"],
  );
});

test("the legend explains one coloring, and presence on its own", () => {
  const all = createLooks("category", [], { of: () => ({ category: ["Work"], matches: true }) });
  const area = { width: 100, window: { start: 0, end: 100 * SECOND } };
  const legend = (types: readonly string[]): readonly string[] => {
    const lanes = types.map((type) => barsOf([events("a@0+20 b@20+60", 0, 100)], (data) => all(type, data), area));
    return legendOf(lanes).map(({ name, isPresence }) => `${name} ${isPresence}`);
  };
  assert.equal(legend(["currentwindow", "app.editor.activity", "general.stopwatch", "mystery"]), ["Work false"]);
  const away = barsOf([events("a@0+20", 0, 100)], () => all("afkstatus", { status: "afk" }), area);
  assert.equal(
    legendOf([away]).map(({ name, isPresence }) => `${name} ${isPresence}`),
    ["AFK true"],
  );
});

test.run();
