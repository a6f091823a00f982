import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { atEachCall, Interposed } from "../care/interposed.js";
import { withServer } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { onMemoryAndLevel } from "../trash/grounds.js";

const test = suite("retention");

const NOW = Date.parse("2024-06-01T12:00:00Z");
const DAY = 86_400_000;
const BUCKET = { type: "t", client: "c", hostname: "h" };

function onEach(use: (open: () => ActivityServer) => Promise<void>): Promise<void> {
  return onMemoryAndLevel(({ open, clock }) => {
    clock.set(new Date(NOW));
    return use(open);
  });
}

function event(daysAgo: number, seconds: number, app = "a") {
  return { timestamp: new Date(NOW - daysAgo * DAY), duration: { seconds }, data: { app } };
}

async function lengths(server: ActivityServer, bucketId: string): Promise<number[]> {
  const events = await server.events.read(bucketId, { order: "oldest" }).toArray();
  return events.map(({ duration }) => duration / 1_000_000);
}

test("nothing is deleted without a rule", () =>
  onEach(async (open) => {
    const server = open();
    await server.buckets.create("b", BUCKET, [event(3000, 0)]);
    assert.equal(await server.retention.preview(), []);
    assert.equal((await server.retention.run()).buckets, []);
    assert.equal(await server.retention.log(), []);
    assert.equal(await lengths(server, "b"), [0]);
  }));

test("a run does what the preview said, writes it into the log, and leaves nothing for a second one", () =>
  onEach(async (open) => {
    const server = open();
    const many = Array.from({ length: 3000 }, (_, index) => event(100 + index / 100, 1 + (index % 3)));
    await server.buckets.create("b1", BUCKET, [...many, event(1, 5), event(0, 1)]);
    await server.buckets.create("kept", BUCKET, many.slice(0, 10));
    const rules = [{ buckets: "b*", keepDays: 120, dropShorterThan: 2 }];
    const previewed = await server.retention.preview(rules);
    const expired = many.filter((_, index) => index / 100 > 20).length;
    const short = many.filter((_, index) => index / 100 <= 20 && index % 3 === 0).length;
    assert.equal(previewed, [{ bucketId: "b1", expired, short, summarized: 0, summaries: 0 }]);
    assert.is(await server.events.count("b1"), 3002);
    await server.settings.put("retention_rules", rules);
    const run = await server.retention.run();
    assert.equal(run.buckets, previewed);
    assert.is(await server.events.count("b1"), 3002 - expired - short);
    assert.is(await server.events.count("kept"), 10);
    assert.equal((await server.retention.run()).buckets, []);
    await server.close();
    const again = open();
    assert.equal(await again.retention.log(), [run]);
    assert.is(await again.events.count("b1"), 3002 - expired - short);
    await again.close();
  }));

test("summaries keep the totals", () =>
  onEach(async (open) => {
    const server = open();
    const start = Math.floor((NOW - 40 * DAY) / 3_600_000) * 3_600_000;
    const events = Array.from({ length: 240 }, (_, index) => ({
      timestamp: new Date(start + index * 30_000),
      duration: { seconds: 20 },
      data: { app: index % 2 === 0 ? "a" : "b" },
    }));
    await server.buckets.create("b2", BUCKET, events);
    await server.settings.put("retention_rules", [{ buckets: "b2", summarizeAfterDays: 30 }]);
    const { buckets } = await server.retention.run();
    assert.equal(buckets, [{ bucketId: "b2", expired: 0, short: 0, summarized: 240, summaries: 4 }]);
    assert.equal(await lengths(server, "b2"), [1200, 1200, 1200, 1200]);
  }));

test("heartbeats go on while it runs, and none is lost", () =>
  onEach(async (open) => {
    const server = open();
    const many = Array.from({ length: 5000 }, (_, index) => event(400 + index / 100, 1));
    await server.buckets.create("b3", BUCKET, many);
    await server.settings.put("retention_rules", [{ buckets: "b3", keepDays: 365 }]);
    const running = server.retention.run();
    for (let beat = 0; beat < 300; beat++) {
      await server.heartbeat("b3", { timestamp: new Date(NOW + beat * 10_000), data: { beat } }, "1s");
    }
    await running;
    assert.is(await server.events.count("b3"), 300);
  }));

/** Enough events for two transactions. */
const TWO_SLICES = Array.from({ length: 1200 }, (_, index) => event(400 + index / 100, 1));

/** Two servers over one storage; something can come between the calls of the first one. */
function twoServers(): { interposed: Interposed; server: ActivityServer; other: ActivityServer } {
  const storage = memory();
  const interposed = new Interposed(storage);
  const open = (own: Storage) => createActivityServer({ storage: own, clock: () => NOW });
  return { interposed, server: open(interposed.storage), other: open(storage) };
}

/** What can come between, and the bucket in which the events are then. */
const MEANWHILE: Readonly<Record<string, (server: ActivityServer, bucketId: string) => Promise<unknown>>> = {
  "rules that are removed": (server) => server.settings.put("retention_rules", []),
  "a bucket that is protected": (server, bucketId) => server.buckets.setAccess(bucketId, "read-only"),
  "a bucket that is deleted": (server, bucketId) => server.buckets.delete(bucketId),
  "a bucket that is renamed": (server, bucketId) => server.identity.rename(bucketId, { to: `new-${bucketId}` }),
};

for (const [name, change] of Object.entries(MEANWHILE)) {
  const isRenamed = name.endsWith("renamed");
  test(`after ${name} in the meantime, a run ${isRenamed ? "goes on" : "deletes nothing more"}`, async () => {
    const { interposed, server, other } = twoServers();
    let turn = 0;
    await atEachCall(interposed, async (meanwhile) => {
      const bucketId = `bucket-${++turn}`;
      await server.buckets.create(bucketId, BUCKET, TWO_SLICES);
      await server.settings.put("retention_rules", [{ buckets: `*bucket-${turn}`, keepDays: 365 }]);
      let left: number | undefined;
      const { result } = await meanwhile(
        () => server.retention.run(),
        async () => {
          await change(other, bucketId);
          left = name.endsWith("deleted") || isRenamed ? undefined : await other.events.count(bucketId);
        },
      );
      const [entry] = await other.trash.list();
      if (entry !== undefined) await other.trash.restore(entry.id);
      const now = await other.events.count(isRenamed ? `new-${bucketId}` : bucketId);
      const expired = result.buckets.reduce((sum, each) => sum + each.expired, 0);
      assert.is(now, TWO_SLICES.length - expired);
      if (isRenamed) assert.is(now, 0);
      if (left !== undefined) assert.is(now, left);
    });
    assert.ok(turn > 5);
  });
}

test("a run goes on with the others when a bucket is deleted in its middle", async () => {
  const { interposed, server, other } = twoServers();
  for (const id of ["a", "b", "c"]) await server.buckets.create(id, BUCKET, TWO_SLICES);
  await server.settings.put("retention_rules", [{ buckets: "*", keepDays: 365 }]);
  let isDeleted = false;
  server.on("change", () => {
    if (!isDeleted) interposed.before(1, () => other.buckets.delete("a"));
    isDeleted = true;
  });
  const { buckets } = await server.retention.run();
  assert.ok(interposed.end());
  assert.equal(
    buckets.map(({ bucketId, expired }) => [bucketId, expired < TWO_SLICES.length]),
    [
      ["a", true],
      ["b", false],
      ["c", false],
    ],
  );
});

test("a protected bucket is left alone", () =>
  withServer({ door: "process", clock: () => NOW }, async ({ server }) => {
    await server.buckets.create("b", BUCKET, [event(3000, 0)]);
    await server.buckets.setAccess("b", "append-only");
    assert.equal(await server.retention.preview([{ buckets: "*", keepDays: 1 }]), []);
  }));

test("rules are refused with their place", () =>
  withServer({ door: "process", clock: () => NOW }, async ({ server }) => {
    for (const [work, message] of [
      [server.retention.preview([{ buckets: "*" }]), /: rules\[0\] needs one of/],
      [server.settings.put("retention_rules", [{ buckets: "*", keepDays: -1 }]), /: retention_rules\[0\]\.keepDays/],
    ] as const) {
      assert.match(await refusalOf(work), message);
    }
  }));

test.run();
