// What a server tells of writes of other nodes over the same data.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityError, createActivityServer, type Storage } from "../../src/index.js";
import { type Change, type ChangePage, changeFeed, changesGone } from "../../src/storage/changes.js";
import { inTime, withServer } from "../harness.js";

const test = suite("notices of other nodes");

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A server does not keep its process alive while it waits to ask again: this does. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** A storage whose feed tells what a test says. */
class Told {
  readonly asked: (string | undefined)[] = [];
  readonly #pages: ChangePage[] = [];
  #failure: Error | undefined;
  #wakes: Set<() => void> = new Set();
  readonly storage: Storage = {
    ...memory(),
    changes: (after) =>
      changeFeed(
        {
          page: async (cursor) => {
            this.asked.push(cursor);
            const failure = this.#failure;
            this.#failure = undefined;
            if (failure !== undefined) throw failure;
            return this.#pages.shift() ?? { changes: [], cursor: cursor ?? "now" };
          },
          listen: (wake) => {
            this.#wakes.add(wake);
            return () => void this.#wakes.delete(wake);
          },
        },
        after,
      ),
  };

  get readers(): number {
    return this.#wakes.size;
  }

  /** Resolves when the page was taken. */
  async tell(cursor: string, ...changes: readonly Change[]): Promise<void> {
    this.#pages.push({ changes, cursor });
    await this.#woken();
  }

  async fail(error: Error): Promise<void> {
    this.#failure = error;
    await this.#woken();
  }

  async #woken(): Promise<void> {
    for (const wake of this.#wakes) wake();
    await turn();
  }
}

test("buckets and changes of other nodes are told once, those of this one are not told again", async () => {
  const node = new Told();
  const server = createActivityServer({ storage: node.storage });
  const told: unknown[] = [];
  server.on("bucket", (notice) => told.push(["bucket", notice]));
  server.on("change", (notice) => told.push(["change", notice]));
  await turn();
  await server.buckets.create("mine", { type: "t", client: "c", hostname: "h" });
  await node.tell(
    "1",
    { kind: "bucket-created", bucketId: "mine", elsewhere: false },
    { kind: "bucket-deleted", bucketId: "theirs", elsewhere: true },
    { kind: "events-written", bucketId: "theirs", elsewhere: true },
    { kind: "setting", key: "key", elsewhere: true },
  );
  assert.equal(told, [
    ["bucket", { action: "created", bucketId: "mine" }],
    ["change", { kind: "bucket-created", bucketId: "mine" }],
    ["change", { kind: "bucket-deleted", bucketId: "theirs", elsewhere: true }],
    ["bucket", { action: "deleted", bucketId: "theirs", elsewhere: true }],
    ["change", { kind: "events-written", bucketId: "theirs", elsewhere: true }],
    ["change", { kind: "setting", key: "key", elsewhere: true }],
  ]);
  await server.close();
  assert.is(node.readers, 0);
});

test("nothing is read unless somebody listens to what other nodes may tell", async () => {
  const node = new Told();
  await withServer({ door: "process", storage: node.storage }, async ({ server }) => {
    for (const name of ["heartbeat", "event", "import", "close"] as const) server.on(name, () => undefined);
    await turn();
    assert.is(node.asked.length, 0);
    const stops = [server.on("bucket", () => undefined), server.on("change", () => undefined)];
    await turn();
    assert.is(node.readers, 1);
    const [first, second] = stops;
    first?.();
    first?.();
    await turn();
    assert.is(node.readers, 1);
    second?.();
    await turn();
    assert.is(node.readers, 0);
    const told: unknown[] = [];
    server.on("change", ({ kind }) => told.push(kind));
    await turn();
    await node.tell("1", { kind: "setting", key: "key", elsewhere: true });
    assert.equal(told, ["setting"]);
  });
});

test("a feed that fails is begun again where it was, and it is logged once", async () => {
  const node = new Told();
  const warnings: string[] = [];
  const logger = { info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  await withServer({ door: "process", storage: node.storage, logger }, async ({ server }) => {
    const told: unknown[] = [];
    server.on("change", (notice) => told.push(notice));
    await turn();
    await node.tell("7", { kind: "bucket-created", bucketId: "a", elsewhere: true });
    await node.fail(new ActivityError("STORAGE_FAILED", "the database cannot be reached"));
    assert.is(node.readers, 0);
    await node.tell("8", { kind: "setting", key: "key", elsewhere: true });
    await until(() => told.length === 2);
    assert.equal(node.asked.slice(-2, -1), ["7"]);
    assert.equal(warnings, ["cannot read the writes of other nodes: the database cannot be reached"]);
  });
});

test("where more was written than was kept, that is told", async () => {
  const node = new Told();
  await withServer({ door: "process", storage: node.storage }, async ({ server }) => {
    const told: unknown[] = [];
    server.on("change", (notice) => told.push(notice));
    await turn();
    await node.fail(changesGone());
    await until(() => told.length > 0);
    assert.equal(told, [{ kind: "missed", elsewhere: true }]);
    assert.is(node.asked.at(-1), undefined, "from now on");
  });
});

test("the feed names buckets that other nodes write to, and starts anew where writes were missed", async () => {
  const node = new Told();
  await withServer({ door: "process", storage: node.storage, buckets: ["a"] }, async ({ server }) => {
    const feed = server.feed()[Symbol.asyncIterator]();
    const next = async (): Promise<object> => {
      const { cursor: _, ...message } = (await inTime(feed.next(), "the next message")).value ?? { cursor: "" };
      return message;
    };
    assert.equal(await next(), { type: "reset", reason: "start" });
    const elsewhere = true;
    await node.tell(
      "1",
      { kind: "events-written", bucketId: "a", elsewhere },
      { kind: "events-written", bucketId: "own", elsewhere: false },
      { kind: "bucket-created", bucketId: "b", elsewhere },
      { kind: "setting", key: "theme", elsewhere },
      { kind: "bucket-deleted", bucketId: "b", elsewhere },
    );
    assert.equal(await next(), { type: "events", action: "changed", bucket: "a" });
    assert.equal(await next(), { type: "bucket", action: "created", bucket: "b" });
    assert.equal(await next(), { type: "setting", key: "theme" });
    assert.equal(await next(), { type: "bucket", action: "deleted", bucket: "b" });
    await server.heartbeat("a", { timestamp: "2024-03-01T10:00:00Z", data: {} }, "1s");
    assert.equal(await next(), { type: "events", action: "changed", bucket: "a" });
    await node.fail(changesGone());
    assert.equal(await next(), { type: "reset", reason: "gone" });
    await feed.return?.();
  });
});

test("a storage that cannot tell, or is still to come, is no reason to fail or to wait", async () => {
  const { changes: _, ...mute } = memory();
  const never = new Promise<Storage>(() => undefined);
  for (const storage of [mute, (): Storage => mute, (): Storage => memory(), never]) {
    const warnings: string[] = [];
    const logger = { info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    const server = createActivityServer({ storage, logger });
    const stop = server.on("change", () => undefined);
    await turn();
    stop();
    server.on("bucket", () => undefined);
    await turn();
    assert.equal(warnings, []);
    if (storage !== never) await server.close();
  }
});

test.run();
