// A clock that is wrong for a while: nothing is lost by it, and nothing that has expired comes back.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer, ActivityServerOptions } from "../../src/index.js";
import { silentLogger } from "../../src/logger.js";
import { BucketAccessRules } from "../../src/service/access/bucket-access.js";
import { Sessions } from "../../src/service/access/sessions.js";
import { Retention } from "../../src/service/retention/retention.js";
import { TrustedClock } from "../../src/service/trusted-clock.js";
import { recordingLogger } from "../harness.js";
import { type Ground, onMemory, onMemoryAndLevel } from "../trash/grounds.js";

const test = suite("a wrong clock");

const NOW = Date.parse("2024-06-01T12:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BUCKET = { type: "t", client: "c", hostname: "h" };
const RULES = [{ buckets: "*", keepDays: 60 }];

interface Scene {
  now: number;
  readonly warnings: string[];
  /** Another one over the same data. */
  open(options?: Partial<ActivityServerOptions>): Promise<ActivityServer>;
  close(): Promise<void>;
}

/** The clock of the ground is one that a test sets, which is trusted. */
function sceneOn({ open }: Ground): Scene {
  const { logger, warnings } = recordingLogger();
  let server: ActivityServer | undefined;
  return {
    now: NOW,
    warnings,
    async open(options = {}) {
      await this.close();
      server = open({ clock: () => this.now, logger, ...options });
      return server;
    },
    close: async () => server?.close(),
  };
}

function onEach(play: (scene: Scene) => Promise<void>): Promise<void> {
  return onMemoryAndLevel((ground) => play(sceneOn(ground)));
}

/** Puts a bucket into the trash, which also looks whether something in it is too old. */
async function deleteOne(server: ActivityServer, bucketId: string): Promise<void> {
  await server.buckets.create(bucketId, BUCKET, [{ timestamp: new Date(NOW), duration: { seconds: 1 }, data: {} }]);
  await server.buckets.delete(bucketId);
}

async function inTrash(server: ActivityServer): Promise<string[]> {
  return (await server.trash.list()).flatMap(({ buckets }) => buckets.map(({ bucketId }) => bucketId)).sort();
}

test("a clock that is ahead once empties no trash", () =>
  onEach(async (scene) => {
    const server = await scene.open();
    await deleteOne(server, "a");
    scene.now += 40 * DAY;
    await deleteOne(server, "b");
    assert.equal(await inTrash(server), ["a", "b"]);
    assert.is(scene.warnings.filter((line) => line.includes("40 days ahead")).length, 1);
    scene.now -= 40 * DAY;
    await deleteOne(server, "c");
    assert.equal(await inTrash(server), ["a", "b", "c"]);
    const [entry] = (await server.trash.list()).filter(({ buckets }) => buckets[0]?.bucketId === "a");
    await server.trash.restore(entry?.id ?? "");
    assert.is(await server.events.count("a"), 1);
  }));

test("after the clock was set right, entries go when it is their time", () =>
  onMemory(async (ground) => {
    const scene = sceneOn(ground);
    const server = await scene.open();
    await deleteOne(server, "a");
    scene.now += 40 * DAY;
    await deleteOne(server, "b");
    scene.now = NOW;
    for (let day = 0; day < 31; day++) {
      scene.now += DAY;
      await deleteOne(server, `c${day}`);
    }
    assert.not.ok((await inTrash(server)).includes("a"));
    assert.ok((await inTrash(server)).includes("c1"));
  }));

test("a clock that stays ahead is trusted after a day, over restarts", () =>
  onEach(async (scene) => {
    let server = await scene.open();
    await deleteOne(server, "a");
    scene.now += 40 * DAY;
    server = await scene.open();
    await deleteOne(server, "b");
    assert.equal(await inTrash(server), ["a", "b"]);
    scene.now += 23 * HOUR;
    server = await scene.open();
    await deleteOne(server, "c");
    assert.equal(await inTrash(server), ["a", "b", "c"]);
    scene.now += HOUR;
    await deleteOne(server, "d");
    assert.equal(await inTrash(server), ["b", "c", "d"]);
  }));

test("a second jump begins another day", () =>
  onEach(async (scene) => {
    const server = await scene.open();
    await deleteOne(server, "a");
    for (let jump = 0; jump < 3; jump++) {
      scene.now += 40 * DAY;
      await deleteOne(server, `b${jump}`);
      assert.ok((await inTrash(server)).includes("a"));
    }
    scene.now += DAY;
    await deleteOne(server, "c");
    assert.not.ok((await inTrash(server)).includes("a"));
  }));

test("a machine that is on for an hour a week empties its trash a start later", () =>
  onEach(async (scene) => {
    await deleteOne(await scene.open(), "a");
    const left: boolean[] = [];
    for (let week = 1; week <= 7; week++) {
      await scene.close();
      scene.now = NOW + week * 7 * DAY;
      const server = await scene.open();
      await deleteOne(server, `b${week}`);
      left.push((await inTrash(server)).includes("a"));
    }
    // It is 30 days old in the fifth week.
    assert.equal(left, [true, true, true, true, true, false, false]);
  }));

test("the owner confirms the clock by carrying retention out", () =>
  onEach(async (scene) => {
    const server = await scene.open({ controlToken: "token" });
    const health = async (): Promise<unknown> => {
      const headers = { host: "localhost", authorization: "Bearer token" };
      const told = await (await server.fetch("http://localhost/api/0/health", { headers })).json();
      return (told as { deletion_by_age?: unknown }).deletion_by_age;
    };
    await deleteOne(server, "a");
    assert.is(await health(), undefined);
    scene.now += 40 * DAY;
    await deleteOne(server, "b");
    assert.is(await health(), "paused");
    await server.retention.run();
    assert.is(await health(), undefined);
    assert.equal(await inTrash(server), ["b"]);
  }));

test("a run of the schedule goes by trusted time", async () => {
  let now = NOW;
  const clock = () => now;
  const storage = memory();
  await storage.createBucket({ id: "b", ...BUCKET, name: null, created: NOW * 1000, data: {} });
  await storage.putEvents("b", [{ timestamp: (NOW - 30 * DAY) * 1000, duration: 1_000_000, data: {} }]);
  await storage.settings.put("retention_rules", RULES);
  const logger = silentLogger;
  const ages = new TrustedClock({ storage, clock, logger });
  const access = new BucketAccessRules(storage);
  const retention = new Retention({ storage, access, logger, clock, ages });
  await ages.note();
  now += 40 * DAY;
  assert.equal((await retention.run()).buckets, []);
  assert.is((await retention.preview()).length, 1);
  assert.is(await storage.countEvents("b"), 1);
  now += 12 * HOUR;
  assert.equal((await retention.run()).buckets, []);
  now += 12 * HOUR;
  assert.is((await retention.run()).buckets.length, 1);
  assert.is(await storage.countEvents("b"), 0);
});

async function opens(server: ActivityServer, key: string): Promise<boolean> {
  const headers = { host: "localhost", authorization: `Bearer ${key}` };
  return (await server.fetch("http://localhost/api/0/buckets", { headers })).ok;
}

for (const [ahead, millis] of [
  ["two hours", 2 * HOUR],
  ["40 days", 40 * DAY],
] as const) {
  test(`a key that was refused as expired stays refused when the clock goes back by ${ahead}`, () =>
    onEach(async (scene) => {
      let server = await scene.open({ auth: "required" });
      const expires = new Date(NOW + HOUR);
      const { key } = await server.keys.add({ name: "short", scopes: ["read:*"], expires });
      const other = await server.keys.add({ name: "long", scopes: ["read:*"] });
      assert.ok(await opens(server, key));
      scene.now += millis;
      assert.not.ok(await opens(server, key));
      scene.now = NOW;
      assert.not.ok(await opens(server, key));
      server = await scene.open({ auth: "required" });
      assert.not.ok(await opens(server, key));
      assert.ok(await opens(server, other.key));
      const [listed] = (await server.keys.list()).filter(({ name }) => name === "short");
      assert.is(listed?.revoked, expires.getTime() * 1000);
    }));
}

test("a key that expired while it was not used does not come back with the clock", () =>
  onEach(async (scene) => {
    let server = await scene.open({ auth: "required" });
    const { key } = await server.keys.add({ name: "short", scopes: ["read:*"], expires: new Date(NOW + HOUR) });
    scene.now += 2 * HOUR;
    server = await scene.open({ auth: "required" });
    // Closing writes down what the time is.
    await server.keys.add({ name: "long", scopes: ["read:*"] });
    scene.now = NOW;
    server = await scene.open({ auth: "required" });
    assert.not.ok(await opens(server, key));
  }));

test("a clock that is ahead ends no key that nobody uses meanwhile", () =>
  onEach(async (scene) => {
    let server = await scene.open({ auth: "required" });
    const { key } = await server.keys.add({ name: "short", scopes: ["read:*"], expires: new Date(NOW + HOUR) });
    scene.now += 40 * DAY;
    server = await scene.open({ auth: "required" });
    await server.keys.add({ name: "long", scopes: ["read:*"] });
    scene.now = NOW;
    server = await scene.open({ auth: "required" });
    assert.ok(await opens(server, key));
  }));

test("a session that was refused as expired does not come back with the clock", async () => {
  let now = NOW;
  const clock = () => now;
  const storage = memory();
  const logger = silentLogger;
  const open = () => new Sessions({ storage, clock, logger, times: new TrustedClock({ storage, clock, logger }) });
  const sessions = open();
  await sessions.ready();
  const source = { address: undefined, userAgent: undefined };
  const begun = await sessions.start(sessions.createLink().token, source);
  assert.ok(begun);
  const presented = { cookies: [begun.cookie], proof: undefined, address: undefined };
  assert.is(sessions.recognize(presented)?.id, begun.id);
  now += 31 * DAY;
  assert.is(sessions.recognize(presented), undefined);
  now = NOW;
  await sessions.settled();
  assert.is(sessions.recognize(presented), undefined);
  const other = open();
  await other.ready();
  assert.is(other.recognize(presented), undefined);
  assert.not.ok(other.isValid(begun.id));
});

test("a clock that was wrongly trusted does not keep anybody from signing in", async () => {
  let now = NOW + 40 * DAY;
  const clock = () => now;
  const storage = memory();
  const logger = silentLogger;
  const times = new TrustedClock({ storage, clock, logger });
  await times.confirm();
  now = NOW;
  const sessions = new Sessions({ storage, clock, logger, times });
  const begun = await sessions.start(sessions.createLink().token, { address: undefined, userAgent: undefined });
  assert.ok(begun);
  assert.ok(sessions.isValid(begun.id));
  assert.ok(times.latest() > NOW * 1000);
  assert.is(await times.now(), NOW * 1000);
  await times.confirm();
  assert.is(times.latest(), NOW * 1000);
});

test.run();
