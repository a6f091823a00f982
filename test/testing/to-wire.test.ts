import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Bucket } from "../../src/index.js";
import { bucket, event, heartbeats, realisticDay, toExport, toWire } from "../../src/testing/index.js";
import { testRefusals, wrong } from "./refusal.js";

const test = suite("toWire and toExport");

test("an event becomes one in ISO time and seconds", () => {
  assert.equal(toWire(event({ timestamp: "2024-03-01T10:00:00.000001Z", duration: "1500ms", data: { a: 1 } })), {
    timestamp: "2024-03-01T10:00:00.000001+00:00",
    duration: 1.5,
    data: { a: 1 },
  });
});

test("an event keeps its id, and gets none when it has none", () => {
  assert.is(toWire(event({ id: 7 })).id, 7);
  assert.not.ok("id" in toWire(event()));
});

test("a bucket becomes what its creation sends, without what a server adds", () => {
  const summary = { ...bucket({ name: "mine" }), start: 1, end: 2 };
  assert.equal(toWire(summary), {
    id: "aw-watcher-window_test-host",
    name: "mine",
    type: "currentwindow",
    client: "aw-watcher-window",
    hostname: "test-host",
    created: "2024-03-01T09:00:00+00:00",
    data: {},
  });
});

test("a list is turned by map", () => {
  const beats = heartbeats({ every: "5s", for: "10s" });
  assert.equal(
    beats.map(toWire).map(({ timestamp }) => timestamp.slice(11, 19)),
    ["09:00:00", "09:00:05", "09:00:10"],
  );
});

test("an export has the buckets by their ids, with events newest first and without ids", () => {
  const events = [event({ id: 3 }), event({ id: 4, timestamp: "2024-03-01T10:00:00Z" })];
  const document = toExport({ bucket: bucket(), events });
  const exported = document.buckets["aw-watcher-window_test-host"];
  assert.equal(Object.keys(document.buckets), ["aw-watcher-window_test-host"]);
  assert.equal(
    exported?.events.map(({ timestamp }) => timestamp),
    ["2024-03-01T10:00:00+00:00", "2024-03-01T09:00:00+00:00"],
  );
  assert.not.ok(exported?.events.some((one) => "id" in one));
  assert.is(exported?.created, "2024-03-01T09:00:00+00:00");
});

test("a whole day and lists are exported, too", () => {
  const day = realisticDay();
  const ids = [day.window, day.afk, day.web, day.editor].map((filled) => filled.bucket.id);
  assert.equal(Object.keys(toExport(day).buckets), ids);
  const own = { bucket: bucket({ id: "own" }), events: [] };
  assert.equal(Object.keys(toExport([own, day]).buckets), ["own", ...ids]);
  assert.equal(toExport([]), { buckets: {} });
});

testRefusals(test, [
  [() => toWire(wrong<Bucket>("event")), "the argument of toWire() must be"],
  [() => toWire(wrong<Bucket>([event()])), "the argument of toWire() must be"],
  [() => toWire(wrong<Bucket>({})), "the argument of toWire() must be"],
  [() => toExport(wrong(bucket())), "the argument of toExport() must be"],
  [() => toExport(wrong([realisticDay(), null])), "the argument of toExport() must be"],
]);

test.run();
