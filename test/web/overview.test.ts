// Pages of chosen parts: the setting, and the periods of tiles.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonValue } from "../../src/domain/json.js";
import { PageError } from "../../src/web/page-error.js";
import type { Calendar } from "../../src/web/period.js";
import {
  addPage,
  addTile,
  conditionsOf,
  moveTile,
  type PagesChange,
  readPages,
  removePage,
  removeTile,
  renamePage,
  replaceTile,
  restoreTile,
  type Tile,
  type TilePeriod,
} from "../../src/web/views/overview/pages.js";
import { tilePeriod } from "../../src/web/views/overview/tile-period.js";

const test = suite("pages of chosen parts");

const APPS: Omit<Tile, "id"> = { part: "app", period: "week", host: "desk", filter: ["app=Code"], isWide: true };

function applied(stored: JsonValue | undefined, ...changes: readonly PagesChange[]): JsonValue | undefined {
  return changes.reduce((value, change) => change(value), stored);
}

function idsOf(stored: JsonValue | undefined, page = "a"): readonly number[] {
  return readPages(stored)
    .filter(({ name }) => name === page)
    .flatMap(({ tiles }) => tiles.map(({ id }) => id));
}

const THREE: JsonValue = [
  { name: "a", tiles: [1, 2, 3].map((id) => ({ id, part: "active", period: "today" })) },
  { name: "b", tiles: [] },
];

test("without a setting there is one page, which the first change stores", () => {
  for (const stored of [undefined, null, [], "x", [{ name: 5, tiles: [] }]]) {
    const [page, ...others] = readPages(stored);
    assert.equal(others, []);
    assert.is(page?.name, "");
    assert.ok((page?.tiles.length ?? 0) > 3);
    assert.is(readPages(applied(stored, addTile("", APPS)))[0]?.tiles.length, (page?.tiles.length ?? 0) + 1);
  }
  assert.equal(readPages([{ name: "mine", tiles: [] }]), [{ name: "mine", tiles: [] }]);
});

test("tiles are added, replaced, moved, removed and restored", () => {
  const added = applied(THREE, addTile("a", APPS));
  assert.equal(readPages(added)[0]?.tiles[3], { ...APPS, id: 4, view: undefined, query: undefined });
  const plain: Tile = { id: 4, part: "query", period: "30d", query: "q", filter: [], isWide: false };
  assert.equal(readPages(applied(added, replaceTile("a", plain)))[0]?.tiles[3], {
    ...{ ...plain, host: undefined, view: undefined },
  });
  assert.equal(idsOf(applied(THREE, moveTile("a", 1, 3))), [2, 3, 1]);
  assert.equal(idsOf(applied(THREE, moveTile("a", 3, 1))), [3, 1, 2]);
  assert.equal(idsOf(applied(THREE, moveTile("a", 9, 1))), [1, 2, 3]);
  const [, second] = readPages(THREE)[0]?.tiles ?? [];
  assert.ok(second);
  const restore = restoreTile("a", second, 1);
  assert.equal(idsOf(applied(THREE, removeTile("a", 2))), [1, 3]);
  assert.equal(idsOf(applied(THREE, removeTile("a", 2), restore)), [1, 2, 3]);
  assert.equal(idsOf(applied(THREE, restore)), [1, 2, 3]);
});

test("no edit is lost if a tile was removed or its ID has another tile", () => {
  const last: Tile = { ...APPS, id: 3 };
  const reused = applied(THREE, replaceTile("a", last), removeTile("a", 3), addTile("a", { ...APPS, part: "site" }));
  assert.equal(
    readPages(applied(reused, restoreTile("a", last, 2)))[0]?.tiles.map(({ id, part }) => [id, part]),
    [
      [1, "active"],
      [2, "active"],
      [4, "app"],
      [3, "site"],
    ],
  );
  const removed = applied(THREE, removeTile("a", 3), replaceTile("a", last));
  assert.equal(readPages(removed)[0]?.tiles[2], { ...last, view: undefined, query: undefined });
});

test("pages are added, renamed and removed, each name once", () => {
  const namesAfter = (change: PagesChange) => readPages(applied(THREE, change)).map(({ name }) => name);
  assert.equal(namesAfter(addPage("c")), ["a", "b", "c"]);
  assert.equal(namesAfter(addPage("b")), ["a", "b"]);
  assert.equal(namesAfter(renamePage("a", "c")), ["c", "b"]);
  assert.equal(namesAfter(renamePage("a", "b")), ["a", "b"]);
  assert.equal(namesAfter(removePage("a")), ["b"]);
  assert.equal(
    readPages(applied(THREE, removePage("a"), removePage("b"))).map(({ name }) => name),
    [""],
  );
});

test("a change of a page that another tab has renamed fails instead of being lost", () => {
  const tile: Tile = { ...APPS, id: 1 };
  const changes = [
    ...[addTile("a", APPS), replaceTile("a", tile), restoreTile("a", tile, 0), removeTile("a", 1), moveTile("a", 1, 2)],
    renamePage("a", "d"),
  ];
  const renamed = applied(THREE, renamePage("a", "c"));
  for (const change of changes) {
    assert.throws(
      () => applied(renamed, change),
      (error: unknown) => error instanceof PageError && error.message.includes("The page “a” does not exist anymore."),
    );
  }
  assert.throws(() => applied(THREE, addTile("", APPS)), "The page “Overview” does not exist anymore.");
});

test("what is unknown stays in the setting", () => {
  const strange = { id: 7, part: "sunspots", period: "today" };
  const known = { id: 8, part: "app", period: "today", shade: "blue", filter: ["app=Code", 5] };
  const stored: JsonValue = [5, { name: "a", color: "red", tiles: [strange, "x", known] }];
  assert.equal(idsOf(stored), [8]);
  assert.equal(readPages(stored)[0]?.tiles[0]?.filter, ["app=Code"]);
  const changed = applied(stored, replaceTile("a", { ...APPS, id: 8 }), addTile("a", APPS)) as JsonValue[];
  const tile = { part: "app", period: "week", host: "desk", filter: ["app=Code"], wide: true };
  assert.equal(changed, [
    5,
    { name: "a", color: "red", tiles: [strange, "x", { id: 8, shade: "blue", ...tile }, { id: 9, ...tile }] },
  ]);
});

test("periods move with today, by the start of the day and of the week", () => {
  const calendar: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };
  const now = Date.parse("2026-03-01T02:00:00Z");
  const wanted: readonly (readonly [TilePeriod, first: string, last: string])[] = [
    ["today", "2026-02-28", "2026-02-28"],
    ["yesterday", "2026-02-27", "2026-02-27"],
    ["week", "2026-02-23", "2026-03-01"],
    ["last_week", "2026-02-16", "2026-02-22"],
    ["month", "2026-02-01", "2026-02-28"],
    ["last_month", "2026-01-01", "2026-01-31"],
    ["30d", "2026-01-30", "2026-02-28"],
    ["year", "2026-01-01", "2026-12-31"],
  ];
  for (const [choice, ...days] of wanted) {
    const { first, last } = tilePeriod(choice, calendar, now);
    assert.equal([first, last], days, choice);
  }
});

test("a tile has the filter of its saved view, but goals apply to all time", () => {
  const tile: Tile = { ...APPS, id: 1 };
  assert.equal(conditionsOf(tile, ["app=Slack"]), ["app=Code"]);
  assert.equal(conditionsOf({ ...tile, view: "v" }, ["app=Slack"]), ["app=Slack"]);
  assert.equal(conditionsOf({ ...tile, view: "v", part: "goals" }, ["app=Slack"]), []);
});

test.run();
