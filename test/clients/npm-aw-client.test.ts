// The official client from npm, unmodified, over a real socket.
import { AWClient, type IEvent } from "aw-client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withKey, withTapped } from "./server.js";

const test = suite("npm aw-client");

const BUCKET = "aw-watcher-test_box";

function at(seconds: number): Date {
  return new Date(Date.UTC(2024, 2, 1, 10) + Math.round(seconds * 1000));
}

/** Start in seconds, duration, data: newest first, as answered. */
function spansOf(events: readonly IEvent[]): unknown[] {
  return events.map(({ timestamp, duration, data }) => [
    (timestamp.getTime() - at(0).getTime()) / 1000,
    duration,
    data,
  ]);
}

async function newestOf(client: AWClient): Promise<IEvent & { id: number }> {
  const [newest] = await client.getEvents(BUCKET, { limit: 1 });
  assert.type(newest?.id, "number");
  return newest as IEvent & { id: number };
}

/** Demands that a call is refused with this status and a message for people. */
async function refused(status: number, call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => assert.unreachable(`expected status ${status}`),
    (thrown: { response?: { status: number; data: { message?: unknown } } }) => thrown,
  );
  assert.is(error?.response?.status, status, String(error));
  assert.type(error?.response?.data.message, "string");
}

interface Case {
  readonly name: string;
  body(client: AWClient): Promise<void>;
}

/** Three events, the middle one with a fraction of a second. */
async function insertThree(client: AWClient): Promise<void> {
  await client.insertEvent(BUCKET, { timestamp: at(0), duration: 5, data: { app: "Überblick" } });
  await client.insertEvents(BUCKET, [
    { timestamp: at(10.25), duration: 2.5, data: { app: "b", title: 'a"\\🦊' } },
    { timestamp: at(20), data: {} },
  ]);
}

const BUCKET_CASES: readonly Case[] = [
  {
    name: "info names the host",
    async body(client) {
      const info = await client.getInfo();
      assert.is(info.hostname, "box");
      assert.is(info.testing, false);
      assert.match(info.version, /^v\d+\.\d+\.\d+/);
    },
  },
  {
    name: "a bucket that exists is recognised by 304",
    async body(client) {
      assert.equal(await client.ensureBucket("new", "t", "box"), { alreadyExist: false });
      assert.equal(await client.ensureBucket("new", "other", "box"), { alreadyExist: true });
      const error = await client.createBucket("new", "t", "box").catch((thrown) => thrown);
      assert.is(error.response.status, 304);
      assert.is((await client.getBucketInfo("new")).type, "t");
    },
  },
  {
    name: "buckets are listed with readable dates",
    async body(client) {
      await insertThree(client);
      await client.ensureBucket("empty", "t", "box");
      const buckets = await client.getBuckets();
      assert.equal(Object.keys(buckets).sort(), [BUCKET, "empty"]);
      const { id, type, client: creator, hostname, created, data } = await client.getBucketInfo(BUCKET);
      assert.equal([id, type, creator, hostname, data], [BUCKET, "currentwindow", "test-client", "box", {}]);
      assert.ok(Math.abs(Date.now() - created.getTime()) < 60_000);
      assert.equal((buckets[BUCKET] as { last_updated?: Date }).last_updated, at(20));
      assert.is((buckets["empty"] as { last_updated?: Date | null }).last_updated, null);
    },
  },
  {
    name: "a deleted bucket is gone",
    async body(client) {
      await insertThree(client);
      await client.deleteBucket(BUCKET);
      assert.equal(await client.getBuckets(), {});
      await refused(404, client.getBucketInfo(BUCKET));
      await refused(404, client.deleteBucket(BUCKET));
      await client.ensureBucket(BUCKET, "t", "box");
      assert.equal(await client.getEvents(BUCKET), []);
    },
  },
];

const EVENT_CASES: readonly Case[] = [
  {
    name: "limit, start and end hold",
    async body(client) {
      await insertThree(client);
      assert.is((await client.getEvents(BUCKET, { limit: -1 })).length, 3);
      assert.is((await client.getEvents(BUCKET, { limit: 2 })).length, 2);
      assert.equal(await client.getEvents(BUCKET, { limit: 0 }), []);
      assert.equal(
        spansOf(await client.getEvents(BUCKET, { start: at(2), end: at(11) })).map((span) =>
          (span as unknown[]).slice(0, 2),
        ),
        [
          [10.25, 0.75],
          [2, 3],
        ],
      );
      assert.equal(await client.getEvents(BUCKET, { start: at(100) }), []);
    },
  },
  {
    name: "one event is read, replaced and deleted by its id",
    async body(client) {
      await insertThree(client);
      const newest = await newestOf(client);
      assert.equal(await client.getEvent(BUCKET, newest.id), newest);
      await client.replaceEvent(BUCKET, { ...newest, timestamp: at(21), duration: 1, data: { edited: 1 } });
      assert.is(await client.countEvents(BUCKET), 3);
      assert.equal(spansOf(await client.getEvents(BUCKET, { limit: 1 })), [[21, 1, { edited: 1 }]]);
      const all = await client.getEvents(BUCKET);
      await client.replaceEvents(
        BUCKET,
        all.map((event) => ({ ...event, data: { all: 1 } })),
      );
      assert.equal(new Set((await client.getEvents(BUCKET)).map(({ data }) => data["all"])), new Set([1]));
      await client.deleteEvent(BUCKET, newest.id);
      await client.deleteEvent(BUCKET, newest.id);
      await refused(404, client.getEvent(BUCKET, newest.id));
      assert.is(await client.countEvents(BUCKET), 2);
    },
  },
  {
    name: "counts are numbers",
    async body(client) {
      await insertThree(client);
      assert.is(await client.countEvents(BUCKET), 3);
      // It sends names of parameters that no server knows.
      assert.is(await client.countEvents(BUCKET, at(2), at(11)), 3);
    },
  },
];

const OTHER_CASES: readonly Case[] = [
  {
    name: "heartbeats merge within the pulsetime",
    async body(client) {
      for (const seconds of [0, 4, 9]) {
        await client.heartbeat(BUCKET, 5, { timestamp: at(seconds), duration: 0, data: { status: "afk" } });
      }
      await client.heartbeat(BUCKET, 5, { timestamp: at(14.001), duration: 3, data: { status: "afk" } });
      await client.heartbeat(BUCKET, 5, { timestamp: at(18), duration: 0, data: { status: "not-afk" } });
      assert.equal(spansOf(await client.getEvents(BUCKET)), [
        [18, 0, { status: "not-afk" }],
        [14.001, 3, { status: "afk" }],
        [0, 9, { status: "afk" }],
      ]);
    },
  },
  {
    name: "a heartbeat for no bucket is refused and the next one goes through",
    async body(client) {
      const beat = { timestamp: at(0), duration: 0, data: {} };
      await refused(404, client.heartbeat("no-such-bucket", 5, beat));
      assert.not.ok("no-such-bucket" in (await client.getBuckets()));
      await client.ensureBucket("no-such-bucket", "t", "box");
      await client.heartbeat("no-such-bucket", 5, beat);
      assert.is(await client.countEvents("no-such-bucket"), 1);
    },
  },
  {
    name: "settings keep objects and lists",
    async body(client) {
      const classes = [{ id: 1, name: ["Work", "Ünï"], rule: { type: "regex", regex: "(?i)x\\b" }, data: {} }];
      await client.set_setting("classes", classes);
      await client.set_setting("a.b-c", {});
      assert.equal(await client.get_setting("classes"), classes);
      assert.equal(await client.get_settings(), { classes, "a.b-c": {} });
      // This client hands over the whole response when the value is null.
      assert.is(((await client.get_setting("unset")) as { data?: unknown }).data, null);
      // It sends text as a form, which a server must not take: any page could.
      await refused(415, client.set_setting("theme", "dark"));
    },
  },
];

for (const { name, body } of [...BUCKET_CASES, ...EVENT_CASES, ...OTHER_CASES]) {
  test(name, () =>
    withTapped(async (url) => {
      const client = new AWClient("test-client", { baseURL: url });
      await client.ensureBucket(BUCKET, "currentwindow", "box");
      await body(client);
    }),
  );
}

test("a key that is demanded opens what it holds", () =>
  withKey(["write:*"], async (url, key) => {
    const client = new AWClient("test-client", { baseURL: url });
    await refused(401, client.getBuckets());
    client.req.defaults.headers.common["Authorization"] = `Bearer ${key}`;
    await client.ensureBucket(BUCKET, "currentwindow", "box");
    await insertThree(client);
    assert.is(await client.countEvents(BUCKET), 3);
    await refused(403, client.get_settings());
  }));

test.run();
