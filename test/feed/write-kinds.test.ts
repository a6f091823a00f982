// Every kind of write reaches the feed: who follows it has what is stored.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hasCode } from "../../src/errors.js";
import type { Service } from "../../src/service/service.js";
import { WRITE_KINDS } from "../../src/service/steps/commit.js";
import type { WriteKind } from "../../src/service/write.js";
import { serviceInMemory } from "../access/service.js";
import { BUCKET, EVENT, FREE, ID, LATER, ROWS, type Row } from "../access/write-rows.js";
import { type FollowedMessage, Follower } from "./follower.js";
import { HeldTimes } from "./held-times.js";

const test = suite("writes in the feed");

/** What changes no bucket, event or setting that a reader can see. */
const UNSEEN: readonly WriteKind[] = ["removeTrash", "setAccess", "deleteRedirect"];

const readings = ({ visible }: Service) => ({
  list: async () => (await visible.listBuckets()).map(({ id }) => id),
  async events(bucketId: string) {
    try {
      const events = [];
      for await (const batch of (await visible.readEvents(bucketId, {})).batches) events.push(...batch.events());
      return events;
    } catch (thrown) {
      if (hasCode(thrown, "NO_SUCH_BUCKET")) return undefined;
      throw thrown;
    }
  },
});

async function withFeed(
  body: (scene: {
    service: Service;
    taken: () => Promise<FollowedMessage[]>;
    follower: Follower;
    stored: () => Promise<Follower>;
  }) => Promise<void>,
) {
  const times = new HeldTimes();
  const { service, feed } = serviceInMemory({}, times);
  for (const bucketId of [ID, FREE]) {
    await service.execute({ kind: "createBucket", bucketId, bucket: BUCKET, drafts: [EVENT, LATER] });
  }
  const reader = await service.openFeed({});
  const follower = new Follower(readings(service));
  await body({
    service,
    follower,
    async taken() {
      times.pass(20_000);
      const messages: FollowedMessage[] = [];
      do {
        const result = await reader.next();
        if (!result.done) messages.push(...result.value.items.map(({ message }) => message as FollowedMessage));
      } while (Number(reader.cursor.split("-")[1]) + 1 < (feed.active?.hub.ring.next ?? 0));
      for (const message of messages) await follower.take(message);
      return messages;
    },
    async stored() {
      const all = new Follower(readings(service));
      await all.take({ type: "reset" });
      // A redirect is not a bucket.
      return all;
    },
  });
  feed.close();
}

for (const kind of WRITE_KINDS) {
  test(`${kind} reaches who follows the feed`, () =>
    withFeed(async ({ service, taken, follower, stored }) => {
      const write = await (ROWS[kind] as Row<WriteKind>).write(service);
      await taken();
      assert.ok(follower.equals(await stored()), "before");
      await service.execute(write);
      const messages = await taken();
      assert.is(messages.length > 0, !UNSEEN.includes(kind), JSON.stringify(messages));
      assert.ok(follower.equals(await stored()), JSON.stringify(messages));
    }));
}

test("heartbeats without hooks and listeners reach the feed", () =>
  withFeed(async ({ service, taken, follower, stored }) => {
    await taken();
    const beat = { ...LATER, timestamp: LATER.timestamp + 120_000_000, duration: 0 };
    for (const seconds of [0, 1, 2]) {
      const timestamp = beat.timestamp + seconds * 1_000_000;
      await service.heartbeat(ID, { ...beat, timestamp }, 60_000_000);
    }
    const actions = (await taken()).map(({ action }) => action);
    assert.equal(actions, ["extended", "extended"]);
    assert.ok(follower.equals(await stored()));
    await service.execute({
      kind: "putSetting",
      key: "privacy_rules",
      value: [{ when: { key: "app", equals: "x" }, then: "drop" }],
    });
    await taken();
    await service.heartbeat(ID, beat, 1);
    assert.equal(await taken(), []);
  }));

test("undo of a rename and a merge reaches the feed", () =>
  withFeed(async ({ service, taken, follower, stored }) => {
    await taken();
    const renamed = await service.execute({ kind: "renameBucket", bucketId: ID, to: "new", changing: {} });
    assert.equal(
      (await taken()).map(({ action }) => action),
      ["renamed", "changed"],
    );
    await service.execute({ kind: "undo", undoId: renamed.undo ?? "" });
    assert.equal(
      (await taken()).map(({ bucket, action }) => [bucket, action]),
      [
        [ID, "renamed"],
        [ID, "changed"],
      ],
    );
    const merged = await service.execute({ kind: "mergeBuckets", bucketId: FREE, from: [ID], changing: {} });
    assert.equal(
      (await taken()).map(({ bucket, action }) => [bucket, action]),
      [
        [FREE, "merged"],
        [FREE, "changed"],
      ],
    );
    assert.ok(follower.equals(await stored()));
    await service.execute({ kind: "undo", undoId: merged.undo ?? "" });
    await taken();
    assert.ok(follower.equals(await stored()));
    assert.equal([...follower.buckets.keys()].sort(), [ID, FREE]);
  }));

test("without readers nothing is recorded; ten minutes after the last one nothing more", async () => {
  const times = new HeldTimes();
  const { service, feed } = serviceInMemory({}, times);
  await service.execute({ kind: "createBucket", bucketId: ID, bucket: BUCKET, drafts: [] });
  assert.is(feed.active, undefined);
  const reader = await service.openFeed({});
  await reader.next();
  const { cursor } = reader;
  await reader.return();
  times.pass(599_000);
  await service.heartbeat(ID, EVENT, 1);
  const resumed = await service.openFeed({ after: cursor });
  const first = await resumed.next();
  assert.equal(first.done ? [] : first.value.items.map(({ message }) => message.type), ["events"]);
  await resumed.return();
  times.pass(601_000);
  assert.is(feed.active, undefined);
  await service.heartbeat(ID, LATER, 1);
  const late = await (await service.openFeed({ after: resumed.cursor })).next();
  assert.equal(late.done ? [] : late.value.items.map(({ message }) => message), [{ type: "reset", reason: "gone" }]);
  feed.close();
});

test("a heartbeat whose privacy pattern takes long is stored before the first reader reads", async () => {
  const { service, feed } = serviceInMemory();
  await service.execute({ kind: "createBucket", bucketId: ID, bucket: BUCKET, drafts: [] });
  const rule = { when: { key: "app", matches: "(?:[ab]{0,30}a){30}[!?]" }, then: "drop" };
  await service.execute({ kind: "putSetting", key: "privacy_rules", value: [rule] });
  const data = { app: "ab".repeat(1000) };
  const beating = service.heartbeat(ID, { ...EVENT, data }, 1);
  const reader = await service.openFeed({});
  assert.equal(
    (await readings(service).events(ID))?.map((event) => event.data),
    [data],
  );
  await beating;
  await reader.return();
  feed.close();
});

test("there are only so many readers, and a closed feed has none", async () => {
  const { service, feed } = serviceInMemory();
  const readers = await Promise.all(Array.from({ length: 10 }, () => service.openFeed({})));
  const refused = await service.openFeed({}).catch((error: unknown) => error);
  assert.ok(hasCode(refused, "BUSY"));
  await readers[0]?.return();
  await (await service.openFeed({})).return();
  feed.close();
  assert.ok(hasCode(await service.openFeed({}).catch((error: unknown) => error), "STORAGE_CLOSED"));
});

const REFUSED = [
  { types: [] },
  { types: ["event"] },
  { buckets: "" },
  { buckets: "x".repeat(301) },
  { after: "x" },
  { after: "-" },
  { after: 5 },
];

for (const request of REFUSED) {
  test(`${JSON.stringify(request).slice(0, 40)} is refused`, async () => {
    const { service } = serviceInMemory();
    const thrown = await service.openFeed(request as object).catch((error: unknown) => error);
    assert.ok(hasCode(thrown, "INVALID_INPUT"), String(thrown));
  });
}

test.run();
