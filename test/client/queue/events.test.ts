import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Delivery } from "../../../src/client/queue/delivery.js";
import { checkedOptions } from "../../../src/client/queue/options.js";
import { BUCKET, BUCKET_ID, beat, inScene, plain } from "./scene.js";

const test = suite("heartbeat queue: what is no event");

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
const NO_EVENTS: readonly (readonly [name: string, event: unknown, message: RegExp])[] = [
  ["nothing", undefined, /the event must/],
  ["a list", [], /the event must/],
  ["a number for a time", { timestamp: 5 }, /timestamp must/],
  ["a text that is no time", { timestamp: "noon" }, /timestamp must/],
  ["a time too far away", { timestamp: "2300-01-01T00:00:00Z" }, /between 1700 and 2249/],
  ["a negative length", { duration: -1 }, /duration must/],
  ["text for a length", { duration: "5" }, /duration must/],
  ["a length that leads beyond all times", { timestamp: "2249-12-31T00:00:00Z", duration: 1e9 }, /duration must/],
  ["a length beyond all lengths", { duration: 1e300 }, /duration must/],
  [
    "a timestamp in milliseconds",
    { timestamp: 1709283600000 },
    /; these are milliseconds, pass new Date\(1709283600000\)$/,
  ],
  ["data with a number that is none", { data: { deep: [{ value: Number.NaN }] } }, /data must/],
  ["data that are a list", { data: [1] }, /data must/],
  ["data that are null", { data: null }, /data must/],
  ["data that go round in circles", { data: cyclic }, /data must/],
];

for (const [name, event, message] of NO_EVENTS) {
  test(`${name}: refused, and the queue goes on`, () =>
    inScene(async (scene) => {
      const queue = scene.open();
      const refused = queue.heartbeat(event as object);
      await refused.then(assert.unreachable, (error: Error & { code: string }) => {
        assert.equal([error.name, error.code], ["HeartbeatQueueError", "INVALID_EVENT"]);
        assert.match(error.message, message);
      });
      await queue.heartbeat(beat(0));
      await queue.flush();
      assert.equal(await scene.events(), [plain(0, 0)]);
    }));
}

test("members that are undefined are left out, and times become text, as JSON does it", () =>
  inScene(async (scene) => {
    const queue = scene.open();
    const data = { app: "a", title: undefined, since: new Date(0), deep: { none: undefined } };
    await queue.heartbeat({ ...beat(0), data });
    await queue.flush();
    assert.equal((await scene.events())[0]?.data, { app: "a", since: "1970-01-01T00:00:00.000Z", deep: {} });
  }));

test("the last instant that an event may end at is taken", () =>
  inScene(async (scene) => {
    const queue = scene.open();
    await queue.heartbeat({ timestamp: "2249-12-31T23:59:00Z", duration: 59.999999, data: {} });
    await queue.flush();
    assert.is((await scene.events()).length, 1);
  }));

test("an event that no request can be made of is dropped: no server will ever take it", () =>
  inScene(async (scene) => {
    const { client, warnings } = scene;
    const options = { client, bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: 5, onWarning: () => warnings };
    const event = { timestamp: Number.MAX_SAFE_INTEGER, duration: Number.MAX_SAFE_INTEGER, data: {} };
    const facts = { first: 1, last: 1, takenAt: 0, bytes: 0, isFrozen: true, inDoubt: true };
    const delivery = new Delivery(checkedOptions(options), 0);
    const outcome = await delivery.attempt({ event, ...facts }, new AbortController().signal);
    assert.is(outcome.kind, "refused");
  }));

test.run();
