// The changes that readers get, with time that only passes when a test says so.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { AbandonedError } from "../../src/errors.js";
import { combineScopes, type Grants, OPERATOR } from "../../src/service/access/grants.js";
import { FeedHub } from "../../src/service/feed/hub.js";
import type { FeedReader } from "../../src/service/feed/reader.js";
import { type FeedRequest, parseFeedRequest } from "../../src/service/feed/request.js";
import { MemoryBudget } from "../../src/util/memory-budget.js";
import { HeldTimes } from "./held-times.js";

const test = suite("the feed's hub");

const event = (id: number, duration = 0, data: object = {}) => ({ id, timestamp: 1e15, duration, data: { ...data } });

class Scene {
  readonly times = new HeldTimes();
  readonly hub: FeedHub;

  constructor(budget?: MemoryBudget) {
    this.hub = new FeedHub(this.times, budget);
  }

  reader(request: FeedRequest = {}, grants: Grants = OPERATOR, onSlow?: () => void): FeedReader {
    return this.hub.addReader({ ...parseFeedRequest(request, grants, () => false), onSlow }, () => {});
  }

  /** What a reader gets now; `undefined` if it would wait. */
  async taken(reader: FeedReader): Promise<string[] | undefined> {
    const pulled = reader.next();
    const waiting = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
    const result = await Promise.race([pulled, waiting]);
    if (result === undefined) {
      // Ends the pull: it takes a comment.
      reader.keepAlive();
      await pulled;
      return undefined;
    }
    return result.done ? ["end"] : result.value.items.map(({ message }) => describe(message as Message));
  }

  /** The same after some time. */
  later(reader: FeedReader, millis = 10_000): Promise<string[] | undefined> {
    this.times.pass(millis);
    return this.taken(reader);
  }
}

/** A scene with a reader that knows what is stored. */
async function started(budget?: MemoryBudget) {
  const scene = new Scene(budget);
  const reader = scene.reader();
  await scene.taken(reader);
  return { scene, hub: scene.hub, reader };
}

type Message = Readonly<Record<string, string>> & { readonly event?: { id: number; duration: number } };

function describe({ type, action, bucket, from, key, reason, ids, event: stored }: Message): string {
  const what = stored === undefined ? (ids ?? from ?? key ?? reason) : `${stored.id}:${stored.duration}`;
  return [type, action, bucket, what].filter((part) => part !== undefined).join(" ");
}

test("a new reader is told to read, and then gets what changes", async () => {
  const scene = new Scene();
  scene.hub.setting("before");
  const reader = scene.reader();
  assert.equal(await scene.taken(reader), ["reset start"]);
  scene.hub.stored("a", [event(1)], () => "inserted");
  scene.hub.deleted("a", [7, 8]);
  scene.hub.bucket("created", "b");
  scene.hub.setting("theme");
  assert.equal(await scene.taken(reader), [
    "events inserted a 1:0",
    "events deleted a 7,8",
    "bucket created b",
    "setting theme",
  ]);
  assert.is(await scene.taken(reader), undefined);
});

test("extensions of an event within a second are one message", async () => {
  const { scene, reader } = await started();
  scene.hub.heartbeat("a", event(1), true);
  for (const duration of [1, 2, 3]) scene.hub.heartbeat("a", event(1, duration), false);
  assert.equal(await scene.taken(reader), ["events inserted a 1:0"]);
  assert.is(await scene.later(reader, 900), undefined);
  assert.equal(await scene.later(reader, 200), ["events extended a 1:3"]);
  scene.hub.heartbeat("a", event(1, 4), false);
  assert.is(await scene.later(reader, 800), undefined, "a second after the last message");
  assert.equal(await scene.later(reader, 200), ["events extended a 1:4"]);
  scene.times.pass(1000);
  scene.hub.heartbeat("a", event(1, 9), false);
  assert.equal(await scene.taken(reader), ["events extended a 1:9"], "at once after a pause");
});

test("the messages of a bucket keep their order", async () => {
  const { scene, hub, reader } = await started();
  hub.heartbeat("a", event(1), true);
  hub.heartbeat("a", event(1, 5), false);
  hub.heartbeat("a", event(2), true);
  hub.heartbeat("a", event(2, 6), false);
  hub.bucket("updated", "a");
  assert.equal(await scene.later(reader), [
    ...["events inserted a 1:0", "events extended a 1:5", "events inserted a 2:0", "events extended a 2:6"],
    "bucket updated a",
  ]);
});

test("a reader resumes without loss or repetition", async () => {
  const scene = new Scene();
  const { hub } = scene;
  const first = scene.reader();
  await scene.taken(first);
  hub.setting("1");
  await scene.taken(first);
  const { cursor } = first;
  await first.return();
  hub.setting("2");
  const second = scene.reader({ after: cursor });
  assert.equal(await scene.taken(second), ["setting 2"]);
  assert.equal(await scene.taken(scene.reader({ after: second.cursor })), undefined);
  assert.equal(await scene.taken(scene.reader({ after: "another1-1" })), ["reset gone"]);
  const far = `${hub.epoch}-99`;
  assert.equal(await scene.taken(scene.reader({ after: far })), ["reset gone"]);
});

test("changes of more than ten minutes ago are gone, but not for a reader of others", async () => {
  const scene = new Scene();
  const { hub, times } = scene;
  const reader = scene.reader({ buckets: "quiet" });
  await scene.taken(reader);
  const old = reader.cursor;
  for (let minute = 0; minute < 12; minute++) {
    times.pass(60_000);
    hub.setting(String(minute));
    assert.is(await scene.taken(reader)?.then((items) => items?.filter((each) => each.startsWith("reset")).length), 0);
  }
  assert.equal(await scene.taken(scene.reader({ after: old })), ["reset gone"]);
});

test("what is left in memory is limited by number and by bytes", async () => {
  const { scene, reader } = await started(new MemoryBudget(100_000));
  for (let id = 0; id < 1000; id++) scene.hub.stored("a", [event(id, 0, { title: "x".repeat(100) })], () => "inserted");
  assert.ok(scene.hub.ring.next - scene.hub.ring.first < 200);
  assert.equal(await scene.taken(reader), ["reset gone"]);
  scene.hub.stored("a", [event(1, 0, { title: "x".repeat(50_000) })], () => "inserted");
  assert.equal(await scene.taken(reader), ["events changed a"], "one that fills the memory");
  const many = new Scene();
  for (let count = 0; count < 100_010; count++) many.hub.setting("k");
  assert.is(many.hub.ring.next - many.hub.ring.first, 100_000);
});

test("what was removed is not sent from memory", async () => {
  const { scene, hub, reader } = await started();
  const after = reader.cursor;
  const secret = event(1, 0, { title: "secret" });
  const put = (bucket: string): void => hub.stored(bucket, [secret, event(2)], () => "inserted");
  put("deleted-event");
  hub.deleted("deleted-event", [1]);
  put("changed");
  hub.changed("changed");
  put("deleted");
  hub.bucketDeleted("deleted");
  put("renamed");
  hub.bucketMoved("renamed", "renamed", "new");
  scene.times.pass(5000);
  const items = await scene.taken(scene.reader({ after }));
  assert.equal(items, [
    ...["events inserted deleted-event 2:0", "events deleted deleted-event 1", "events changed changed"],
    ...["bucket deleted deleted", "bucket renamed new renamed", "events changed new"],
  ]);
  hub.stored("changed", [secret], () => "inserted");
  assert.equal(await scene.taken(scene.reader({ after: reader.cursor })), items?.concat("events inserted changed 1:0"));
});

test("while another node writes to a bucket, messages about it have no events, whose order is unknown", async () => {
  const { scene, hub, reader } = await started();
  hub.share("a");
  hub.heartbeat("a", event(1), true);
  hub.stored("b", [event(1)], () => "inserted");
  assert.equal(await scene.taken(reader), ["events changed a", "events inserted b 1:0"]);
  hub.heartbeat("a", event(1, 1), false);
  hub.stored("a", [event(2)], () => "replaced");
  hub.deleted("a", [2]);
  assert.equal(await scene.later(reader), ["events changed a"]);
  hub.bucket("updated", "a");
  assert.equal(await scene.later(reader, 60_000), ["bucket updated a"]);
  hub.heartbeat("a", event(1, 2), false);
  assert.equal(await scene.taken(reader), ["events extended a 1:2"]);
});

test("large writes are one message", async () => {
  const { scene, reader } = await started();
  const ids = Array.from({ length: 1001 }, (_, id) => id + 1);
  scene.hub.stored(
    "a",
    ids.map((id) => event(id)),
    () => "inserted",
  );
  scene.hub.deleted("a", ids);
  assert.equal(await scene.later(reader), ["events changed a"]);
});

test("a reader only gets what its key may read", async () => {
  const scene = new Scene();
  const { hub } = scene;
  const reader = scene.reader({}, combineScopes(["read:mine_*", "append:*"]));
  await scene.taken(reader);
  hub.stored("other", [event(1)], () => "inserted");
  hub.stored("mine_a", [event(1)], () => "inserted");
  hub.setting("theme");
  hub.bucketMoved("renamed", "other", "mine_b");
  hub.bucketMoved("renamed", "mine_b", "hidden");
  hub.bucketMoved("merged", "mine_c", "hidden");
  hub.bucketMoved("merged", "hidden", "mine_d");
  hub.bucketMoved("renamed", "other", "hidden");
  assert.equal(await scene.later(reader), [
    ...["events inserted mine_a 1:0", "bucket created mine_b", "bucket deleted mine_b"],
    ...["bucket deleted mine_c", "events changed mine_d"],
  ]);
});

test("readers with the same rights and wishes at the same place share a batch, and no others", async () => {
  const scene = new Scene();
  const { hub } = scene;
  const mine = combineScopes(["read:mine_*"]);
  const grants = [OPERATOR, OPERATOR, mine, mine];
  const readers = grants.map((each) => scene.reader({}, each));
  readers.push(scene.reader({ buckets: "mine_*" }), scene.reader({ types: ["events"] }));
  const taken = async () => (await Promise.all(readers.map((reader) => reader.next()))).map(({ value }) => value);
  await taken();
  hub.stored("mine_a", [event(1)], () => "inserted");
  const [first, ...others] = await taken();
  assert.is(others[0], first);
  assert.is(others[1], others[2]);
  assert.is(new Set([first, ...others]).size, 4);
  const again = () => scene.taken(scene.reader({ after: `${hub.epoch}-0` }));
  assert.equal(await again(), ["events inserted mine_a 1:0"]);
  hub.deleted("mine_a", [1]);
  assert.equal(await again(), ["events deleted mine_a 1"], "not what was shared before");
  hub.reset();
  for (const value of await taken()) assert.match((value as { cursor: string }).cursor, hub.epoch);
});

test("a reader gets the types and buckets that it wants", async () => {
  const scene = new Scene();
  const reader = scene.reader({ buckets: "*_desk", types: ["events"] });
  const [plain, both] = [scene.reader({ buckets: "*_desk" }), scene.reader({ buckets: "*_desk", types: ["setting"] })];
  for (const each of [reader, plain, both]) await scene.taken(each);
  scene.hub.bucket("created", "window_desk");
  scene.hub.setting("theme");
  for (const bucket of ["window_desk", "window_phone"]) scene.hub.stored(bucket, [event(1)], () => "inserted");
  assert.equal(await scene.later(reader), ["events inserted window_desk 1:0"]);
  assert.equal(await scene.later(plain), ["bucket created window_desk", "events inserted window_desk 1:0"]);
  assert.equal(await scene.later(both), ["setting theme"]);
});

test("a waiting reader is woken, and gets a comment every 15 seconds", async () => {
  const { scene, reader } = await started();
  const pulled = reader.next();
  scene.hub.setting("theme");
  scene.times.pass(100);
  const { value } = await pulled;
  assert.is(value === "bye" ? 0 : value?.items.length, 1);
  const quiet = reader.next();
  scene.times.pass(15_000);
  assert.equal(await quiet, { done: false, value: { items: [], cursor: reader.cursor } });
});

test("a reader that takes nothing is disconnected at 1 MiB, and can resume", async () => {
  const scene = new Scene();
  let cut = 0;
  const slow = scene.reader({}, OPERATOR, () => cut++);
  const filtered = scene.reader({ buckets: "other" }, OPERATOR, () => cut++);
  const patient = scene.reader();
  await Promise.all([slow, filtered, patient].map((reader) => reader.next()));
  const { cursor } = slow;
  const big = { title: "x".repeat(100_000) };
  for (let id = 0; id < 10; id++) scene.hub.stored("a", [event(id, 0, big)], () => "inserted");
  scene.times.pass(1000);
  assert.is(cut, 0);
  scene.hub.stored("a", [event(10, 0, big)], () => "inserted");
  scene.times.pass(1000);
  assert.is(cut, 1);
  assert.is(scene.hub.readers, 2);
  const thrown = await slow.next().catch((error: unknown) => error);
  assert.instance(thrown, AbandonedError);
  const resumed = scene.reader({ after: cursor });
  const ids: string[] = [];
  for (let items = await scene.taken(resumed); items !== undefined; items = await scene.taken(resumed))
    ids.push(...items);
  assert.is(ids.length, 11);
});

test("readers end with the server, or when they leave, even while they wait", async () => {
  const scene = new Scene();
  const [leaving, staying] = [scene.reader(), scene.reader()];
  await Promise.all([leaving.next(), staying.next()]);
  const pulls = [leaving.next(), staying.next()];
  await leaving.return();
  assert.is(scene.hub.readers, 1);
  scene.hub.close();
  assert.equal(await Promise.all(pulls), [
    { done: true, value: undefined },
    { done: true, value: "bye" },
  ]);
  assert.is(scene.hub.readers, 0);
});

test("after a reset of the feed, all readers read again", async () => {
  const { scene, reader } = await started();
  const { cursor } = reader;
  scene.hub.setting("theme");
  scene.hub.reset();
  assert.equal(await scene.later(reader), ["reset gone"]);
  assert.equal(await scene.taken(scene.reader({ after: cursor })), ["reset gone"]);
});

test("readers who want the same share a batch, however many want something else", () => {
  const { hub } = new Scene();
  hub.setting("theme");
  const collect = (at: number) => {
    const request = { buckets: `${at}_*`, types: ["setting"] };
    return hub.batches.collect(parseFeedRequest(request, OPERATOR, () => false).view, hub.epoch, 1);
  };
  const first = Array.from({ length: 100 }, (_, at) => collect(at));
  assert.ok(first.every((batch, at) => collect(at) === batch));
  hub.setting("theme");
  assert.is(collect(0).batch.items.length, 2);
});

test.run();
