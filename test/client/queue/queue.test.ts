import { setTimeout } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHeartbeatQueue, type HeartbeatQueueOptions } from "../../../src/client/queue/index.js";
import { until } from "../../http/client.js";
import { codeOf } from "../../refusals.js";
import { BUCKET, BUCKET_ID, beat, codes, heartbeats, inScene, PULSETIME, plain } from "./scene.js";

const test = suite("heartbeat queue");

test("beats of one activity are sent as one event, after the commit interval", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 10 });
    for (const second of [0, 2, 4]) await queue.heartbeat(beat(second));
    await until(() => scene.time.waits.length > 0, "the wait for the commit interval");
    assert.equal([queue.state.size, heartbeats(scene), scene.time.waits], [1, 0, [10_000]]);
    scene.time.advance(9_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(heartbeats(scene), 0);
    scene.time.advance(1);
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(0, 4)]);
    assert.is(heartbeats(scene), 1);
  }));

test("an activity that is longer than the commit interval is sent at once, and goes on in the same event", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 10 });
    for (let second = 0; second <= 28; second += 2) {
      await queue.heartbeat(beat(second));
      if (second % 10 === 0 && second > 0) await until(() => queue.state.size <= 1, "a sent event");
    }
    await queue.flush();
    assert.equal(await scene.events(), [plain(0, 28)]);
    assert.ok(heartbeats(scene) < 5, `${heartbeats(scene)} requests`);
  }));

test("other data are sent without waiting for the commit interval", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 1_000 });
    await queue.heartbeat(beat(0, "a"));
    await queue.heartbeat(beat(1, "b"));
    await until(() => queue.state.size === 1, "the first event");
    assert.equal(await scene.events(), [plain(0, 0, "a")]);
  }));

test("a clock that is turned back does not hold events for longer", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 10 });
    await queue.heartbeat(beat(0));
    scene.time.now -= 3_600_000;
    await queue.heartbeat(beat(1));
    await until(() => scene.time.waits.length > 0, "the wait for the commit interval");
    assert.equal(scene.time.waits, [10_000]);
    scene.time.advance(10_000);
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(0, 1)]);
  }));

test("a beat that says nothing is now, of no length and without data", () =>
  inScene(async (scene) => {
    const queue = scene.open();
    assert.is(await queue.heartbeat({}), "memory");
    await queue.flush();
    assert.equal(await scene.events(), [{ ...plain(0, 0), data: {} }]);
  }));

test("data may be changed once they are handed in", () =>
  inScene(async (scene) => {
    const queue = scene.open();
    const data = { app: "a" };
    await queue.heartbeat({ ...beat(0), data });
    data.app = "b";
    await queue.flush();
    assert.equal(await scene.events(), [plain(0, 0, "a")]);
  }));

test("the bucket is made before the first beat, and stays as it is when it is there", () =>
  inScene(async (scene) => {
    await scene.client.buckets.create(BUCKET_ID, { ...BUCKET, type: "of before" });
    const queue = scene.open();
    await queue.heartbeat(beat(0));
    await queue.flush();
    assert.is((await scene.client.buckets.get(BUCKET_ID)).type, "of before");
    assert.equal(
      scene.seen.map(({ what }) => what),
      ["POST editor", "POST heartbeat"],
    );
  }));

test("a bucket that was deleted is made again", () =>
  inScene(async (scene) => {
    const queue = scene.open();
    await queue.heartbeat(beat(0));
    await queue.flush();
    await scene.client.buckets.delete(BUCKET_ID);
    await queue.heartbeat(beat(2));
    await queue.flush();
    assert.equal(await scene.events(), [plain(2, 0)]);
    assert.equal(scene.warnings, []);
  }));

test("above the limit the oldest events are dropped, and every one of them is counted in a warning", () =>
  inScene(async (scene) => {
    scene.fault = () => "down";
    const queue = scene.open({ commitInterval: 0, limit: { events: 5 } });
    for (let second = 0; second < 100; second++) await queue.heartbeat(beat(second, `app ${second}`));
    assert.is(queue.state.size, 5);
    assert.equal(codes(scene).filter((code) => code === "OVERFLOW").length, 1);
    scene.fault = () => undefined;
    await queue.flush();
    // The one that was on its way is kept: the server may have it already.
    const kept = [0, 96, 97, 98, 99].map((second) => plain(second, 0, `app ${second}`));
    assert.equal(await scene.events(), kept);
    const counts = scene.warnings.filter(({ code }) => code === "OVERFLOW").map(({ count }) => count);
    assert.equal([counts, queue.state.dropped], [[1, 94], 95]);
  }));

test("the limit may be one of bytes", () =>
  inScene(async (scene) => {
    scene.fault = () => "down";
    const queue = scene.open({ limit: { bytes: 10_000 } });
    for (let second = 0; second < 100; second++) await queue.heartbeat(beat(second, "x".repeat(1_000 + second)));
    assert.ok(queue.state.bytes <= 10_000, `${queue.state.bytes} bytes`);
    assert.ok(queue.state.size >= 8, `${queue.state.size} events`);
    await queue.close({ timeoutMillis: 0 });
    assert.is(queue.state.dropped + queue.state.size, 100);
    const told = scene.warnings.reduce((sum, { count }) => sum + count, 0);
    assert.is(told, 100, "dropped above the limit or lost by closing");
    assert.is(await codeOf(scene.open({ limit: { bytes: 500 } }).heartbeat(beat(0, "x".repeat(500)))), "INVALID_EVENT");
  }));

test("flush() sends what waits without delay, during a back-off, too", () =>
  inScene(async (scene) => {
    scene.fault = () => "down";
    const queue = scene.open({ commitInterval: 1_000 });
    await queue.heartbeat(beat(0));
    const flushed = queue.flush();
    await until(() => scene.time.waits.length > 0, "a back-off");
    scene.fault = () => undefined;
    await Promise.all([flushed, queue.flush()]);
    assert.equal(await scene.events(), [plain(0, 0)]);
  }));

test("flush() of an empty queue is done, and one with a signal ends with it", () =>
  inScene(async (scene) => {
    scene.fault = () => "down";
    const queue = scene.open();
    await queue.flush();
    await queue.heartbeat(beat(0));
    const controller = new AbortController();
    const flushed = codeOf(queue.flush({ signal: controller.signal }));
    await until(() => scene.time.waits.length > 0, "a back-off");
    controller.abort();
    assert.equal([await flushed, await codeOf(queue.flush({ signal: controller.signal }))], ["ABORTED", "ABORTED"]);
    assert.is(queue.state.size, 1);
  }));

test("close() sends what is left", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 1_000 });
    await queue.heartbeat(beat(0));
    await Promise.all([queue.close(), queue[Symbol.asyncDispose]()]);
    assert.equal(await scene.events(), [plain(0, 0)]);
    assert.equal([await codeOf(queue.heartbeat(beat(1))), await codeOf(queue.flush())], ["CLOSED", "CLOSED"]);
    assert.equal(scene.warnings, []);
  }));

test("close() gives up after a time, and tells what is lost without a file", () =>
  inScene(async (scene) => {
    scene.fault = () => "down";
    const queue = scene.open();
    await queue.heartbeat(beat(0, "a"));
    await queue.heartbeat(beat(1, "b"));
    const flushed = codeOf(queue.flush());
    const closed = queue.close({ timeoutMillis: 700 });
    await until(() => scene.time.waits.length > 1, "a back-off");
    scene.time.advance(700);
    await closed;
    assert.is(await flushed, "CLOSED");
    assert.equal(codes(scene), ["UNREACHABLE", "LOST"]);
    assert.is(scene.warnings[1]?.count, 2);
  }));

test("close() cuts off a request that is under way", () =>
  inScene(async (scene) => {
    const queue = scene.open({
      commitInterval: 0,
      client: {
        ...scene.faulty,
        heartbeat: (_bucket, _event, _pulsetime, { signal } = {}) =>
          new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted")))),
      },
    });
    await queue.heartbeat(beat(0));
    await until(() => scene.seen.length > 0, "the first request");
    await queue.close({ timeoutMillis: 0 });
    assert.equal([codes(scene), queue.state.size], [["LOST"], 1]);
  }));

test("a listener that throws takes nothing down", () =>
  inScene(async (scene) => {
    scene.fault = () => (scene.seen.length === 0 ? "down" : undefined);
    const onWarning = (): void => {
      throw new Error("a bug of the host");
    };
    const queue = scene.open({ onWarning, commitInterval: 0 });
    await queue.heartbeat(beat(0));
    await until(() => scene.time.waits.length > 0, "a back-off");
    await queue.flush();
    assert.equal(await scene.events(), [plain(0, 0)]);
  }));

for (const [name, wait] of Object.entries({
  throws: () => {
    throw new Error("no timers here");
  },
  rejects: () => Promise.reject(new Error("no timers here")),
})) {
  test(`a wait that ${name} stops neither the commit interval, nor a back-off, nor close()`, () =>
    inScene(async (scene) => {
      const queue = scene.open({ wait, random: () => 0, commitInterval: 0.02, clock: Date.now });
      await queue.heartbeat(beat(0));
      await scene.drained(queue);
      scene.fault = () => (scene.seen.length < 5 ? "down" : undefined);
      await queue.heartbeat(beat(60, "b"));
      await scene.drained(queue);
      assert.equal(await scene.events(), [plain(0, 0), plain(60, 0, "b")]);
      scene.fault = () => "down";
      await queue.heartbeat(beat(120, "c"));
      await queue.close({ timeoutMillis: 20 });
      assert.equal(codes(scene), ["UNREACHABLE", "UNREACHABLE", "LOST"]);
    }));
}

test("a wait that rejects when its signal is aborted, as those of Node do, is one that was ended", () =>
  inScene(async (scene) => {
    const wait = (millis: number, signal: AbortSignal): Promise<void> => setTimeout(millis, undefined, { signal });
    const queue = scene.open({ wait, commitInterval: 3_600 });
    await queue.heartbeat(beat(0));
    await queue.flush();
    await queue.heartbeat(beat(60, "b"));
    await queue.close();
    assert.equal(await scene.events(), [plain(0, 0), plain(60, 0, "b")]);
  }));

const NO_OPTIONS: readonly (readonly [options: object, message: RegExp])[] = [
  [{ bucketId: "" }, /bucketId must/],
  [{ path: "" }, /path must/],
  [{ pulsetime: -1 }, /pulsetime must/],
  [{ pulsetime: undefined }, /pulsetime must/],
  [{ commitInterval: Number.NaN }, /commitInterval must/],
  [{ limit: { events: 0 } }, /limit.events must/],
  [{ limit: { bytes: 1.5 } }, /limit.bytes must/],
  [{ onWarning: undefined }, /onWarning must/],
];

test("options that cannot work are refused at once", () => {
  const client = {} as HeartbeatQueueOptions["client"];
  const good = { client, bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: PULSETIME, onWarning() {} };
  // @ts-expect-error options that are not there are a mistake to the compiler
  const surplus: HeartbeatQueueOptions = { ...good, interval: 5 };
  // @ts-expect-error and so are those that are missing
  const missing: HeartbeatQueueOptions = { client, bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: PULSETIME };
  assert.throws(() => createHeartbeatQueue(missing), /onWarning/);
  assert.ok(surplus);
  for (const [options, message] of NO_OPTIONS) {
    assert.throws(
      () => createHeartbeatQueue({ ...good, ...options }),
      (error: Error) => error instanceof TypeError && message.test(error.message),
      String(message),
    );
  }
});

test.run();
