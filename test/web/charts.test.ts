// The lines of trends and the boxes of maps.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createColors } from "../../src/web/category-colors.js";
import { type Calendar, partsOf, periodAround } from "../../src/web/period.js";
import { barsOf, upTo } from "../../src/web/views/activity/bars.js";
import { mapBoxes } from "../../src/web/views/activity/map-boxes.js";
import { type Box, squarified } from "../../src/web/views/activity/squarified.js";
import { otherCategories, topCategories, trendLine } from "../../src/web/views/activity/trend-lines.js";

const test = suite("charts");

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

test.run();
