import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { bucket, event, heartbeats, TEST_START } from "../../src/testing/index.js";
import { assertRefused, LENGTH, type Refusal, TIME, wrong } from "./refusal.js";

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

const REFUSALS: readonly Refusal[] = [
  {
    name: "a bucket made of a text",
    call: () => bucket(wrong("window")),
    message: "bucket() was given 'window'; an object is expected",
  },
  {
    name: "a bucket made of null",
    call: () => bucket(wrong(null)),
    message: "bucket() was given null; an object is expected",
  },
  {
    name: "an unknown field of a bucket",
    call: () => bucket(wrong({ host: "desk" })),
    message: "bucket() knows no 'host'; it takes id, type, client, hostname, name, created, data",
  },
  {
    name: "an id of a bucket that is no text",
    call: () => bucket(wrong({ id: 1 })),
    message: "id of the bucket is 1; a text is expected",
  },
  {
    name: "a type that is no text",
    call: () => bucket(wrong({ type: null })),
    message: "type of the bucket is null; a text is expected",
  },
  {
    name: "data that are no object",
    call: () => bucket({ data: [] }),
    message: "data of the bucket is a list; an object is expected",
  },
  {
    name: "an empty id of a bucket",
    call: () => bucket({ id: "" }),
    message: "id of the bucket is empty; a text with at least one character is expected",
  },
  {
    name: "a client that is no text",
    call: () => bucket(wrong({ client: 5 })),
    message: "client of the bucket is 5; a text is expected",
  },
  {
    name: "a hostname that is no text",
    call: () => bucket(wrong({ hostname: {} })),
    message: "hostname of the bucket is an object; a text is expected",
  },
  {
    name: "a creation that is no time",
    call: () => bucket({ created: "yesterday" }),
    message: `created of the bucket is 'yesterday'; ${TIME}`,
  },
  {
    name: "an unknown field of an event",
    call: () => event(wrong({ start: TEST_START })),
    message: "event() knows no 'start'; it takes timestamp, duration, data, id",
  },
  {
    name: "a timestamp in milliseconds with a fraction",
    call: () => event({ timestamp: 1_709_283_600_000.5 }),
    message: `timestamp of the event is 1709283600000.5; ${TIME}`,
  },
  {
    name: "a duration that is no length",
    call: () => event({ duration: wrong("5 minutes") }),
    message: `duration of the event is '5 minutes'; ${LENGTH}`,
  },
  {
    name: "a duration of null",
    call: () => event({ duration: wrong(null) }),
    message: `duration of the event is null; ${LENGTH}`,
  },
  {
    name: "data that JSON cannot hold",
    call: () => event({ data: { at: new Date(0) } }),
    message: "data of the event holds an object of Date; plain JSON values are expected",
  },
  {
    name: "an id below 1",
    call: () => event({ id: 0 }),
    message: "id of the event is 0; an integer from 1 to 2^53 - 1, or none, is expected",
  },
  {
    name: "beats without options",
    call: () => heartbeats(wrong(undefined)),
    message: "heartbeats() was given nothing; an object is expected",
  },
  {
    name: "beats without every",
    call: () => heartbeats(wrong({ for: "10m" })),
    message: `every of heartbeats() is missing; ${LENGTH}`,
  },
  {
    name: "beats without for",
    call: () => heartbeats(wrong({ every: "5s" })),
    message: `for of heartbeats() is missing; ${LENGTH}`,
  },
  {
    name: "beats that do not move on",
    call: () => heartbeats({ every: 0, for: "10m" }),
    message: "every of heartbeats() is 0; a duration above 0 is expected",
  },
  {
    name: "beats for less than nothing",
    call: () => heartbeats({ every: "5s", for: "-10m" }),
    message: "for of heartbeats() is '-10m'; a duration of 0 or more is expected",
  },
  {
    name: "more beats than can be meant",
    call: () => heartbeats({ every: { micros: 5 }, for: "8h" }),
    message: "every of heartbeats() is an object; that makes 5760000001 beats, of 1000000 at most",
  },
  {
    name: "data of beats that are no object",
    call: () => heartbeats({ every: "5s", for: "5s", data: (index) => (index === 0 ? {} : wrong("x")) }),
    message: "data of beat 1 is 'x'; an object is expected",
  },
  {
    name: "a start of beats that is no time",
    call: () => heartbeats({ every: "5s", for: "5s", start: "soon" }),
    message: `start of heartbeats() is 'soon'; ${TIME}`,
  },
];

for (const refusal of REFUSALS) test(`refused is ${refusal.name}`, () => assertRefused(refusal));

test.run();
