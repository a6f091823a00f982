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

/** Demands that a call is refused with this status and a message for people. */
async function refused(status: number, call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => assert.unreachable(`expected status ${status}`),
    (thrown: { response?: { status: number; data: { message?: unknown } } }) => thrown,
  );
  assert.is(error?.response?.status, status, String(error));
  assert.type(error?.response?.data.message, "string");
}

/** Three events, the middle one with a fraction of a second. */
async function insertThree(client: AWClient): Promise<void> {
  await client.insertEvent(BUCKET, { timestamp: at(0), duration: 5, data: { app: "Überblick" } });
  await client.insertEvents(BUCKET, [
    { timestamp: at(10.25), duration: 2.5, data: { app: "b", title: 'a"\\🦊' } },
    { timestamp: at(20), data: {} },
  ]);
}

// What the server does with such requests is recorded in test/conformance.
test("each of its methods understands the answer", () =>
  withTapped(async (url) => {
    const client = new AWClient("test-client", { baseURL: url });
    const info = await client.getInfo();
    assert.equal([info.hostname, info.testing], ["box", false]);

    assert.equal(await client.ensureBucket(BUCKET, "currentwindow", "box"), { alreadyExist: false });
    assert.equal(await client.ensureBucket(BUCKET, "other", "box"), { alreadyExist: true });
    assert.is((await client.createBucket(BUCKET, "t", "box").catch((thrown) => thrown)).response.status, 304);
    await client.ensureBucket("empty", "t", "box");
    await insertThree(client);
    const buckets = await client.getBuckets();
    const { id, type, client: creator, created, data } = await client.getBucketInfo(BUCKET);
    assert.equal([id, type, creator, data], [BUCKET, "currentwindow", "test-client", {}]);
    assert.ok(Math.abs(Date.now() - created.getTime()) < 60_000);
    assert.equal((buckets[BUCKET] as { last_updated?: Date }).last_updated, at(20));
    assert.is((buckets["empty"] as { last_updated?: Date | null }).last_updated, null);

    const [newest] = (await client.getEvents(BUCKET, { limit: 1 })) as [IEvent & { id: number }];
    assert.equal(await client.getEvent(BUCKET, newest.id), newest);
    const within = spansOf(await client.getEvents(BUCKET, { start: at(2), end: at(11) }));
    assert.equal(within, [
      [10.25, 0.75, { app: "b", title: 'a"\\🦊' }],
      [2, 3, { app: "Überblick" }],
    ]);
    await client.replaceEvent(BUCKET, { ...newest, timestamp: at(21), duration: 1, data: { edited: 1 } });
    assert.equal(spansOf(await client.getEvents(BUCKET, { limit: 1 })), [[21, 1, { edited: 1 }]]);
    const all = await client.getEvents(BUCKET);
    await client.replaceEvents(
      BUCKET,
      all.map((event) => ({ ...event, data: { all: 1 } })),
    );
    // It sends names of parameters that no server knows.
    assert.is(await client.countEvents(BUCKET, at(2), at(11)), 3);
    for (let time = 0; time < 2; time++) await client.deleteEvent(BUCKET, newest.id);
    await refused(404, client.getEvent(BUCKET, newest.id));

    const beat = { timestamp: at(30), duration: 0, data: {} };
    await refused(404, client.heartbeat("new", 5, beat));
    await client.ensureBucket("new", "t", "box");
    await client.heartbeat("new", 5, beat);
    await client.heartbeat("new", 5, { ...beat, timestamp: at(34) });
    assert.equal(spansOf(await client.getEvents("new")), [[30, 4, {}]]);
    await client.deleteBucket("new");
    await refused(404, client.deleteBucket("new"));

    const classes = [{ id: 1, name: ["Work", "Ünï"], rule: { type: "regex", regex: "(?i)x\\b" }, data: {} }];
    await client.set_setting("classes", classes);
    assert.equal(await client.get_setting("classes"), classes);
    assert.equal(await client.get_settings(), { classes });
    // This client hands over the whole response when the value is null.
    assert.is(((await client.get_setting("unset")) as { data?: unknown }).data, null);
    // It sends text as a form, which a server must not take: any page could.
    await refused(415, client.set_setting("theme", "dark"));
  }));

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
