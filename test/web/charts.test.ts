// The lines of trends, the boxes of maps, and the scores of categories.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Category } from "../../src/web/categories.js";
import { createColors } from "../../src/web/category-colors.js";
import { type Calendar, partsOf, periodAround } from "../../src/web/period.js";
import type { ReportGroup } from "../../src/web/report.js";
import { barsOf, upTo } from "../../src/web/views/activity/bars.js";
import { distractionLines } from "../../src/web/views/activity/lines.js";
import { mapBoxes } from "../../src/web/views/activity/map-boxes.js";
import { type Box, squarified } from "../../src/web/views/activity/squarified.js";
import { otherCategories, topCategories, trendLine } from "../../src/web/views/activity/trend-lines.js";
import { ownMark, parentMark, scoreOfMark } from "../../src/web/views/categories/marks.js";

const test = suite("charts and scores");

const UTC: Calendar = { zone: "UTC", startOfDay: "00:00", startOfWeek: "Monday" };
const WEEK = periodAround("week", "2024-03-06", UTC);
const BEFORE = periodAround("week", "2024-02-28", UTC);

const colors = createColors([]);

/** Bars of a week whose days have these times of Work > Code and Media. */
function week(period: typeof WEEK, code: readonly number[], media: readonly number[]) {
  const bins = partsOf(period, UTC).map(({ start, end }, at) => {
    const categories = [
      { name: ["Work", "Code"], seconds: code[at] ?? 0 },
      { name: ["Media"], seconds: media[at] ?? 0 },
    ].filter(({ seconds }) => seconds > 0);
    const [from, to] = [start, end].map((instant) => new Date(instant).toISOString()) as [string, string];
    return { start: from, end: to, active: (code[at] ?? 0) + (media[at] ?? 0), away: 0, categories };
  });
  return barsOf(bins, period, UTC);
}

test("a line ends now, and the one of the period before where that is compared", () => {
  const bars = week(WEEK, [10, 20, 30], [1, 0, 2]);
  const now = Date.parse("2024-03-06T12:00:00Z");
  const before = upTo(week(BEFORE, [1, 2, 3, 4], [5, 5, 5, 5]), Date.parse("2024-02-28T12:00:00Z"));
  const input = { bars, before, zone: "UTC", colors, now };
  const all = trendLine([], input);
  assert.equal(
    [all.values, all.before],
    [
      [11, 20, 32],
      [6, 7, 8],
    ],
  );
  // A category includes its subcategories.
  const work = trendLine(["Work"], input);
  assert.equal(
    [work.values, work.before],
    [
      [10, 20, 30],
      [1, 2, 3],
    ],
  );
  assert.is(work.color, colors.of(["Work"]));
  assert.equal(trendLine(["Work", "Code"], input).values, [10, 20, 30]);
  assert.is(trendLine([], { ...input, before: undefined }).before, undefined);
  assert.is(trendLine([], { ...input, before: week(BEFORE, [], []) }).before, undefined, "without data");
});

test("the longest categories are lines to choose, and all others are in a list", () => {
  const bars = week(WEEK, [10], [20]);
  assert.equal(topCategories(bars), [["Media"], ["Work"]]);
  assert.equal(otherCategories(bars, [["Media"], ["Work"]]), [["Work", "Code"]]);
  assert.equal(otherCategories(bars, [["Media"]]), [["Work"], ["Work", "Code"]]);
});

function areaOf({ width, height }: Box): number {
  return width * height;
}

function overlaps(one: Box, other: Box): boolean {
  const apart = (at: number, size: number, from: number, length: number): boolean =>
    at + size <= from + 1e-6 || from + length <= at + 1e-6;
  return !apart(one.x, one.width, other.x, other.width) && !apart(one.y, one.height, other.y, other.height);
}

test("boxes fill the whole in proportion, without overlaps, and nearly square", () => {
  const whole = { x: 5, y: 7, width: 600, height: 400 };
  const weights = [6, 6, 4, 3, 2, 2, 1];
  const boxes = squarified(weights, whole);
  boxes.forEach((box, at) => {
    assert.ok(Math.abs(areaOf(box) / areaOf(whole) - (weights[at] ?? 0) / 24) < 1e-9);
    assert.ok(box.x >= 5 && box.y >= 7 && box.x + box.width < 605.001 && box.y + box.height < 407.001);
    assert.ok(Math.max(box.width / box.height, box.height / box.width) < 3);
    assert.not.ok(boxes.some((other, index) => index !== at && overlaps(box, other)));
  });
  assert.equal(squarified([1], whole), [whole]);
  assert.equal(squarified([], whole), []);
});

test("the map nests categories, and leaves room for the time of a parent itself", () => {
  const row = (name: readonly string[], seconds: number, own: number) => {
    return { key: name.join(), name: [...name], seconds, own, share: 0 };
  };
  const rows = [
    row(["Work"], 300, 100),
    row(["Work", "Code"], 200, 200),
    row(["Media"], 100, 100),
    row(["Short"], 0.4, 0.4),
  ];
  const boxes = mapBoxes({ rows }, { x: 0, y: 0, width: 400, height: 300 });
  assert.equal(
    boxes.map(({ name }) => name),
    [["Work"], ["Work", "Code"], ["Media"]],
  );
  const [work, code, media] = boxes.map(({ box }) => box) as [Box, Box, Box];
  assert.ok(Math.abs(areaOf(work) - 3 * areaOf(media)) < 1);
  assert.ok(code.x >= work.x && code.y > work.y && code.x + code.width < work.x + work.width);
  // Two thirds of the room below the label of Work.
  assert.ok(areaOf(code) < 0.7 * areaOf(work));
  // Not even labels fit.
  const tiny = mapBoxes({ rows }, { x: 0, y: 0, width: 30, height: 20 });
  assert.equal(
    tiny.map(({ name, hasLabel }) => [name, hasLabel]),
    [
      [["Work"], false],
      [["Media"], false],
    ],
  );
  assert.equal(mapBoxes({ rows }, { x: 0, y: 0, width: 0, height: 300 }), []);
  assert.equal(mapBoxes(undefined, { x: 0, y: 0, width: 10, height: 300 }), []);
});

test("distractions are apps with their longest titles", () => {
  const seconds = (time: number) => ({ seconds: time, share: 0, change: 0, categories: [] });
  const titles = Array.from({ length: 7 }, (_, at) => ({ key: `video ${at}`, app: "firefox", ...seconds(9 - at) }));
  const list = (rows: ReportGroup["rows"]): ReportGroup => ({ rows, total: rows.length, seconds: 0, next: null });
  const groups = {
    "distracting app": list([
      { key: "Firefox", names: ["firefox"], ...seconds(50) },
      { key: "Game", ...seconds(20) },
    ]),
    "distracting title": list([...titles, { key: "level 1", app: "Game", ...seconds(2) }]),
  };
  const lines = distractionLines(groups, colors, () => "title");
  assert.equal(
    lines.map(({ label, depth = 0, within }) => [label, depth, within]),
    [
      ["Firefox", 0, undefined],
      ...[0, 1, 2, 3, 4].map((at) => [`video ${at}`, 1, "Firefox"]),
      ["Game", 0, undefined],
      ["level 1", 1, "Game"],
    ],
  );
  assert.equal([lines[0]?.handle, lines[1]?.handle], ["app~/^(?:firefox)$/", "title=video 0"]);
  assert.is(new Set(lines.map(({ key }) => key)).size, lines.length);
  assert.equal(
    distractionLines({}, colors, () => "title"),
    [],
  );
});

test("a mark is stored as a score that ActivityWatch's web UI reads, and subcategories have the one of their parent", () => {
  const media: Category = { name: ["Media"], rule: {}, data: { score: "-7" } };
  const video: Category = { name: ["Media", "Video"], rule: {} };
  assert.equal(
    [ownMark(media), ownMark(video), ownMark({ name: ["A"], rule: {} })],
    ["distracting", undefined, "neutral"],
  );
  assert.is(parentMark([media, video], video), "distracting");
  // A number of one's own stays while it has the mark.
  assert.equal(
    ([undefined, "productive", "neutral", "distracting"] as const).map((mark) => scoreOfMark(media, mark)),
    [undefined, 1, undefined, -7],
  );
  assert.equal(
    ([undefined, "productive", "neutral", "distracting"] as const).map((mark) => scoreOfMark(video, mark)),
    [undefined, 1, "0", -1],
  );
  assert.is(ownMark({ ...video, data: { score: "0" } }), "neutral");
  assert.is(ownMark({ ...video, data: { score: 0 } }), undefined);
});

test.run();
