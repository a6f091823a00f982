import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket } from "../../src/client/index.js";
import { type BucketSort, eventsPerDay, hostGroups, matching } from "../../src/web/views/buckets/overview.js";
import { printSort, readSort } from "../../src/web/views/buckets/sort.js";

const test = suite("the list of buckets");

const BY_ID: BucketSort = { by: "id", descending: false };

function bucket(id: string, fields: Partial<ClientBucket> = {}, span?: readonly [string, string]): ClientBucket {
  const [start, end] = span ?? [null, null];
  return {
    ...{ id, name: null, type: "app", client: "test", hostname: "desk", created: "2024-03-01T00:00:00+00:00" },
    ...{ data: {}, metadata: { start, end }, last_updated: end, ...fields },
  };
}

function ids(sort: BucketSort, buckets: readonly ClientBucket[], counts?: ReadonlyMap<string, number>): string[] {
  return hostGroups(buckets, sort, counts).flatMap((group) => group.buckets.map(({ id }) => id));
}

test("buckets stand under their hosts, whatever these are called", () => {
  const hosts = ["b", "__proto__", "", "b", "constructor", "a/ü 🙂"];
  const groups = hostGroups(
    hosts.map((hostname, index) => bucket(`id${index}`, { hostname })),
    BY_ID,
  );
  assert.equal(new Set(groups.map(({ host }) => host)), new Set(hosts));
  assert.is(groups.length, 5);
  assert.equal(
    groups.find(({ host }) => host === "b")?.buckets.map(({ id }) => id),
    ["id0", "id3"],
  );
});

test("ids with numbers are in the order of the numbers", () => {
  assert.equal(
    ids(
      BY_ID,
      ["w10", "w9", "W1", "w1"].map((id) => bucket(id)),
    ).at(-1),
    "w10",
  );
  assert.equal(
    ids(
      { by: "id", descending: true },
      ["w10", "w9"].map((id) => bucket(id)),
    ),
    ["w10", "w9"],
  );
});

test("what is not known comes last in both directions", () => {
  const buckets = [
    bucket("empty"),
    bucket("old", {}, ["2024-01-01T00:00:00+00:00", "2024-01-02T00:00:00+00:00"]),
    bucket("new", {}, ["2024-03-01T00:00:00+00:00", "2024-03-02T00:00:00+00:00"]),
  ];
  assert.equal(ids({ by: "last", descending: true }, buckets), ["new", "old", "empty"]);
  assert.equal(ids({ by: "first", descending: false }, buckets), ["old", "new", "empty"]);
  const counts = new Map([
    ["old", 5],
    ["new", 3],
  ]);
  assert.equal(ids({ by: "events", descending: true }, buckets, counts), ["old", "new", "empty"]);
  assert.equal(ids({ by: "events", descending: false }, buckets, counts), ["new", "old", "empty"]);
});

test("a filter wants each of its words in some field", () => {
  const buckets = [bucket("aw-watcher-window_Desk", { name: "Windows" }), bucket("x", { type: "afkstatus" })];
  assert.is(matching(buckets, "  ").length, 2);
  assert.equal(matching(buckets, "DESK window").length, 2 - 1);
  assert.equal(
    matching(buckets, "afk").map(({ id }) => id),
    ["x"],
  );
  assert.is(matching(buckets, "window afk").length, 0);
});

test("a rate is over the time that is covered, which is a day at least", () => {
  const days = (count: number, end: string): number | undefined =>
    eventsPerDay(bucket("b", {}, ["2024-03-01T00:00:00+00:00", end]), count);
  assert.is(days(100, "2024-03-11T00:00:00+00:00"), 10);
  assert.is(days(100, "2024-03-01T00:00:01+00:00"), 100);
  assert.is(eventsPerDay(bucket("b"), 0), undefined);
});

test("an order goes through an address", () => {
  for (const sort of [BY_ID, { by: "last", descending: true }, { by: "rate", descending: false }] as const) {
    assert.equal(readSort(printSort(sort) ?? null), sort);
  }
  assert.equal(["", "nonsense", "-", "__proto__", null].map(readSort), new Array(5).fill(BY_ID));
});

test.run();
