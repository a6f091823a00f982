import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { bucket, event, heartbeats, TEST_START } from "../../src/testing/index.js";
import { testRefusals, wrong } from "./refusal.js";

const test = suite("builders");

const SECOND = 1_000_000;
const DATA = { app: "Code", title: "notes.md" };

test("a bucket without fields is that of a window watcher, always the same", () => {
  assert.equal(bucket(), {
    id: "aw-watcher-window_test-host",
    type: "currentwindow",
    client: "aw-watcher-window",
    hostname: "test-host",
    name: null,
    created: TEST_START,
    data: {},
  });
  assert.equal(bucket(), bucket());
});

for (const [given, id, client] of [
  [{ type: "afkstatus" }, "aw-watcher-afk_test-host", "aw-watcher-afk"],
  [{ type: "web.tab.current", hostname: "desk" }, "aw-watcher-web-firefox_desk", "aw-client-web"],
  [{ type: "app.editor.activity" }, "aw-watcher-vscode_test-host", "aw-watcher-vscode"],
  [{ type: "my.type" }, "aw-watcher-test_test-host", "aw-watcher-test"],
  [{ client: "my-watcher" }, "my-watcher_test-host", "my-watcher"],
  [{ id: "own/id ü", client: "my-watcher" }, "own/id ü", "my-watcher"],
  [{ id: undefined, client: undefined }, "aw-watcher-window_test-host", "aw-watcher-window"],
] as const) {
  test(`a bucket with ${JSON.stringify(given)} is named ${JSON.stringify(id)}`, () => {
    const made = bucket(wrong(given));
    assert.is(made.id, id);
    assert.is(made.client, client);
  });
}

test("a bucket takes every field that it is given", () => {
  const created = new Date("2024-05-06T07:08:09Z");
  const fields = { id: "i", type: "t", client: "c", hostname: "h", name: "n", data: { a: [1, null] } };
  assert.equal(bucket({ ...fields, created }), { ...fields, created: created.getTime() * 1000 });
});

test("an event without fields is a minute of one window, always the same", () => {
  assert.equal(event(), { timestamp: TEST_START, duration: 60 * SECOND, data: DATA });
  assert.equal(event(), event());
});

test("an event takes every field that it is given", () => {
  assert.equal(event({ timestamp: "2024-03-01T10:00:00.5Z", duration: "90s", data: { n: 1 }, id: 7 }), {
    timestamp: TEST_START + 3_600_500_000,
    duration: 90 * SECOND,
    data: { n: 1 },
    id: 7,
  });
  assert.is(event({ duration: { micros: -5 } }).duration, -5);
  assert.is(event({ duration: "0.5ms" }).duration, 500);
  assert.equal(event(wrong({ data: undefined, id: undefined })), event());
});

test("what is made does not change with what it was made of", () => {
  const data = { list: [1] };
  const made = event({ data });
  data.list.push(2);
  assert.equal(made.data, { list: [1] });
});

test("beats come at both ends", () => {
  assert.equal(
    heartbeats({ every: "5s", for: "15s" }).map(({ timestamp }) => timestamp - TEST_START),
    [0, 5 * SECOND, 10 * SECOND, 15 * SECOND],
  );
  assert.equal(heartbeats({ every: "5s", for: "14s" }).length, 3);
  assert.equal(heartbeats({ every: "5s", for: 0 }), [{ timestamp: TEST_START, duration: 0, data: DATA }]);
});

test("beats merged into one another are one event as long as the row", async () => {
  const storage = memory();
  await storage.createBucket(bucket());
  for (const beat of heartbeats({ every: "5s", for: "10m" })) {
    await storage.heartbeat(bucket().id, beat, 5 * SECOND);
  }
  assert.is(await storage.countEvents(bucket().id), 1);
  assert.equal(await storage.getEvent(bucket().id, 1), {
    id: 1,
    timestamp: TEST_START,
    duration: 600 * SECOND,
    data: DATA,
  });
  await storage.close();
});

test("beats take start, duration and data", () => {
  const start = "2024-03-02T00:00:00Z";
  const beats = heartbeats({ every: { micros: 2 }, for: { micros: 4 }, start, duration: "1s", data: { app: "Mail" } });
  const first = Date.parse(start) * 1000;
  assert.equal(
    beats,
    [0, 2, 4].map((after) => ({ timestamp: first + after, duration: SECOND, data: { app: "Mail" } })),
  );
});

test("the data of beats can be made for each", () => {
  const beats = heartbeats({ every: "1h", for: "2h", data: (index, timestamp) => ({ index, timestamp }) });
  assert.equal(
    beats.map(({ data }) => data),
    beats.map(({ timestamp }, index) => ({ index, timestamp })),
  );
});

testRefusals(test, [
  [() => bucket(wrong("window")), "the argument of bucket() must be"],
  [() => bucket(wrong(null)), "the argument of bucket() must be"],
  [
    () => bucket(wrong({ host: "desk" })),
    "unknown field 'host' in bucket(); use id, type, client, hostname, name, created, data",
  ],
  [() => bucket(wrong({ id: 1 })), "id of the bucket must be"],
  [() => bucket({ id: "" }), "id of the bucket must be"],
  [() => bucket({ created: "yesterday" }), "created of the bucket must be"],
  [() => event(wrong({ start: TEST_START })), "unknown field 'start' in event(); use timestamp, duration, data, id"],
  [() => event({ duration: wrong("5 minutes") }), "duration of the event must be"],
  [() => heartbeats(wrong(undefined)), "the argument of heartbeats() must be"],
  [() => heartbeats(wrong({ every: "5s" })), "for of heartbeats() must be"],
  [() => heartbeats({ every: 0, for: "10m" }), "every of heartbeats() must be"],
  [() => heartbeats({ every: "5s", for: "-10m" }), "for of heartbeats() must be"],
  [() => heartbeats({ every: { micros: 5 }, for: "8h" }), "every of heartbeats() must be"],
  [
    () => heartbeats({ every: "5s", for: "5s", data: (index) => (index === 0 ? {} : wrong("x")) }),
    "data of heartbeat 1 must be",
  ],
  [() => heartbeats({ every: "5s", for: "5s", start: "soon" }), "start of heartbeats() must be"],
]);

test.run();
