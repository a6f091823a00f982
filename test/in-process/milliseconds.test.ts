// `Date.now()` where microseconds are expected: the types refuse it, and so does each call.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  ActivityError,
  type ActivityServer,
  micros,
  serializeTimestamp,
  type TimestampMicros,
} from "../../src/index.js";
import { bucket, event, fakeClock, heartbeats, realisticDay } from "../../src/testing/index.js";
import { BUCKET, withTestServer } from "../harness.js";

const test = suite("milliseconds in place of microseconds");

const MILLIS = 1_709_283_600_000 as TimestampMicros;
const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: "1m", data: { app: "editor" } } as const;

const CALLS: Readonly<Record<string, (server: ActivityServer) => unknown>> = {
  heartbeat: (server) => server.heartbeat("b", { timestamp: MILLIS }, "60s"),
  "events.insert": (server) => server.events.insert("b", { timestamp: MILLIS }),
  "events.insert of a list": (server) => server.events.insert("b", [EVENT, { timestamp: MILLIS }]),
  "events.read": (server) => server.events.read("b", { start: MILLIS }).toArray(),
  "events.read to an end": (server) => server.events.read("b", { end: MILLIS }).toArray(),
  "events.count": (server) => server.events.count("b", { start: MILLIS }),
  "events.split": (server) => server.events.split("b", 1, MILLIS),
  "events.deleteMatching": (server) => server.events.deleteMatching("b", { start: MILLIS }),
  "events.deleteMatchingIn": (server) => server.events.deleteMatchingIn({ end: MILLIS }),
  "buckets.create": (server) => server.buckets.create("c", { ...BUCKET, created: MILLIS }),
  "buckets.create with events": (server) => server.buckets.create("c", BUCKET, [{ timestamp: MILLIS }]),
  search: (server) => server.search({ start: MILLIS }).summary(),
  query: (server) => server.query({ timeperiods: [{ start: MILLIS, end: new Date() }], query: "RETURN = 1;" }),
  "keys.add": (server) => server.keys.add({ name: "k", scopes: ["admin"], expires: MILLIS }),
  micros: () => micros(MILLIS),
  serializeTimestamp: () => serializeTimestamp(MILLIS),
  fakeClock: () => fakeClock(MILLIS),
  "fakeClock.set": () => fakeClock().set(MILLIS),
  "event() of a test": () => event({ timestamp: MILLIS }),
  "heartbeats() of a test": () => heartbeats({ start: MILLIS, every: "5s", for: "1m" }),
  "bucket() of a test": () => bucket({ created: MILLIS }),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} refuses them, and the message has the fix`, () =>
    withTestServer({}, async (server) => {
      await server.buckets.create("b", BUCKET, [EVENT]);
      const refused = await Promise.resolve()
        .then(() => call(server))
        .catch((thrown: unknown) => thrown);
      assert.ok(ActivityError.is(refused), `nothing was refused: ${JSON.stringify(refused)}`);
      assert.is(refused.code, "INVALID_INPUT");
      assert.match(refused.message, /got 1709283600000; these are milliseconds, pass new Date\(1709283600000\)$/);
      assert.is(await server.events.count("b"), 1);
    }));
}

const REQUESTS: Readonly<Record<string, readonly [path: string, body?: unknown]>> = {
  "an event": ["buckets/b/events", { timestamp: MILLIS }],
  "a heartbeat": ["buckets/b/heartbeat?pulsetime=5", { timestamp: MILLIS }],
  "a bucket": ["buckets/c", { ...BUCKET, created: MILLIS }],
  "a selection": ["buckets/b/events/delete", { start: MILLIS, preview: true }],
  "a query string": [`buckets/b/events?end=${MILLIS}`],
  "a query": ["query", { timeperiods: [`${MILLIS}/${MILLIS}`], query: ["RETURN = 1;"] }],
};

for (const [name, [path, body]] of Object.entries(REQUESTS)) {
  test(`over HTTP, ${name} refuses them with the string to send`, () =>
    withTestServer({}, async (server) => {
      await server.buckets.create("b", BUCKET, [EVENT]);
      const headers = { "content-type": "application/json" };
      const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await server.fetch(new Request(`http://localhost/api/0/${path}`, init));
      assert.is(response.status, 400);
      const { message } = (await response.json()) as { readonly message: string };
      assert.match(message, /, got .*; these are milliseconds, send 2024-03-01T09:00:00\.000Z$/);
    }));
}

test("over HTTP, other numbers are refused without that remedy", () =>
  withTestServer({}, async (server) => {
    for (const start of [1, 1_709_283_600, 1_709_283_600_000_000, "1709283600000x"]) {
      const response = await server.fetch(new Request(`http://localhost/api/0/buckets/b/events?start=${start}`));
      assert.not.match(await response.text(), /milliseconds/);
    }
  }));

test("hooks cannot return them", () =>
  withTestServer(
    { hooks: { beforeHeartbeat: (write) => ({ ...write, beat: { ...write.beat, timestamp: MILLIS } }) } },
    async (server) => {
      await server.buckets.create("b", BUCKET);
      await server.heartbeat("b", EVENT, 0).then(
        () => assert.unreachable(),
        ({ cause }: Error) => assert.match((cause as Error).message, /these are milliseconds, pass new Date/),
      );
    },
  ));

test("a hook may return events of early 1970 that it was given", () => {
  const early = "1970-01-20T18:48:03.600000Z";
  const seen: string[] = [];
  return withTestServer(
    {
      hooks: {
        beforeHeartbeat: (write) => ({ ...write, beat: { ...write.beat, data: { hook: 1 } } }),
        beforeInsert: (write) => ({ ...write, events: write.events.map((each) => ({ ...each, data: { hook: 2 } })) }),
        beforeCreateBucket: (write) => ({ ...write, bucket: { ...write.bucket, name: "hook" } }),
        beforeImport: (write) => ({
          ...write,
          buckets: write.buckets.map((each) => {
            seen.push(each.bucketId);
            return { ...each, events: each.events.map((one) => ({ ...one, data: { hook: 3 } })) };
          }),
        }),
      },
    },
    async (server) => {
      await server.buckets.create("b", { ...BUCKET, created: early });
      await server.heartbeat("b", { timestamp: early }, 0);
      await server.events.insert("b", { timestamp: early });
      const events = [{ timestamp: early, duration: 0, data: {} }];
      await server.import({ buckets: { c: { ...BUCKET, id: "c", created: early, events } } });
      assert.equal(seen, ["c"]);
      const all = [...(await server.events.read("b").toArray()), ...(await server.events.read("c").toArray())];
      assert.equal(
        all.map(({ data }) => data["hook"]),
        [2, 1, 3],
      );
    },
  );
});

test("years before 1990 and after 2099 in milliseconds, and seconds, stay numbers of microseconds", () => {
  const [start, end] = [Date.UTC(1990, 0), Date.UTC(2100, 0)];
  for (const number of [0, -1, 1, start - 1, end]) assert.is(micros(number), number);
  for (const number of [start, end - 1]) assert.throws(() => micros(number), /milliseconds/);
  assert.throws(() => micros(0.5), /must be a Date/);
});

test("micros() converts dates and strings, and serializeTimestamp() takes the same", () => {
  assert.is(micros(new Date("2024-03-01T12:00:00.123Z")), 1_709_294_400_123_000);
  assert.is(micros("2024-03-01T12:00:00.123456Z"), 1_709_294_400_123_456);
  assert.is(serializeTimestamp(new Date("2024-03-01T12:00:00Z")), "2024-03-01T12:00:00+00:00");
  assert.is(serializeTimestamp(micros("2024-03-01T12:00:00.5Z")), "2024-03-01T12:00:00.500000+00:00");
});

test("the builders of tests make days and heartbeats of early 1970", () => {
  assert.is(realisticDay({ date: "1970-01-20" }).afk.events[0]?.timestamp, 19 * 86_400_000_000);
  assert.is(heartbeats({ start: "1970-01-20", every: "5s", for: "10s" }).length, 3);
});

test.run();
