// Connections that fail at every place of a write, at moments that a real network would choose by chance.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { IS_LONG } from "../faults/sizes.js";
import { codeOf } from "../refusals.js";
import { withoutGivenIds } from "./given-ids.js";
import { postgresGround } from "./ground.js";
import { withShortSeconds } from "./short-seconds.js";
import { type Fate, type Statement, unlucky } from "./unlucky.js";

const test = suite("postgres lost answers");

const ground = await postgresGround();

/** Meets the first statements that call a function, in their order. */
function once(name: string, ...fates: readonly Fate[]): (text: string) => Fate {
  const left = [...fates];
  return (text) => (text.includes(`.${name}(`) ? left.shift() : undefined);
}

async function deleteAll(storage: Storage): Promise<unknown> {
  const events = await read(storage, "window");
  return storage.deleteEvents(
    "window",
    events.map(({ id }) => id),
  );
}

/** Each kind of write, with what must be there afterwards, once. */
const WRITES: readonly (readonly [string, (storage: Storage) => Promise<unknown>, number])[] = [
  ["put_events", (storage) => storage.putEvents("window", [draftOf(10, 1), draftOf(20, 1)]), 3],
  ["merge_events", (storage) => storage.mergeEvents("window", [draftOf(10, 1)]), 2],
  ["put_heartbeats", (storage) => storage.heartbeat("window", draftOf(50, 1, "beat"), 5), 2],
  ["delete_events", deleteAll, 0],
  ["put_setting", (storage) => storage.settings.put("key", 1), 1],
  ["set_record", (storage) => storage.records("kind").compareAndSet("key", undefined, 1), 1],
  ["create_bucket", (storage) => storage.createBucket(bucketOf("other"), [draftOf(1)]), 1],
  ["replace_bucket", (storage) => storage.updateBucket("window", { client: "other" }), 1],
];

type Fates = readonly [what: string, fates: readonly Fate[]];

const BOTH: Fates = ["it is lost, and then its answer", ["statement", "answer"]];
/** In the short tests each write meets one of these, in turn. */
const PLAIN: readonly Fates[] = [
  ["its answer is lost", ["answer"]],
  ["it is lost itself", ["statement"]],
  ["the database is not ready", ["unready", "unready"]],
];
const FATES: readonly Fates[] = [BOTH, ...PLAIN];

/** What a call fails with. */
function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { newNamespace, open, pool } = ground;

  for (const [index, [name, write, expected]] of WRITES.entries()) {
    const fatesOf = IS_LONG ? FATES : [BOTH, PLAIN[index % PLAIN.length] as Fates];
    test(`${name} is carried out once, and answers the same, whatever of it is lost`, async () => {
      const plain = open(newNamespace());
      await plain.createBucket(bucketOf("window"), [draftOf(1)]);
      const wanted = withoutGivenIds(await write(plain));
      const left = withoutGivenIds(await read(plain, "window"));
      for (const [what, fates] of fatesOf) {
        const namespace = newNamespace();
        const storage = postgres({ pool: unlucky(pool, once(name, ...fates)), namespace });
        await open(namespace).createBucket(bucketOf("window"), [draftOf(1)]);
        assert.equal(withoutGivenIds(await write(storage)), wanted, what);
        assert.is(await storage.countEvents("window"), expected, what);
        assert.equal(withoutGivenIds(await read(storage, "window")), left, what);
        await storage.close();
      }
      await plain.close();
    });
  }

  test("where nobody can be asked, the error says that it may be stored", async () => {
    const namespace = newNamespace();
    await open(namespace).createBucket(bucketOf("window"));
    let isDown = false;
    let isOver = false;
    const storage = postgres({
      namespace,
      pool: unlucky(pool, (text) => {
        if (isOver) return undefined;
        if (isDown) return "all";
        isDown = text.includes("put_events");
        return isDown ? "answer" : undefined;
      }),
    });
    const error = await withShortSeconds(() => refusalOf(storage.putEvents("window", [draftOf(1)])));
    assert.ok(ActivityError.is(error) && error.code === "STORAGE_FAILED", String(error));
    assert.match(error.message, "may have been stored");
    isOver = true;
    await storage.putEvents("window", [draftOf(2)]);
    assert.is(await storage.countEvents("window"), 2, "this one was");
    await storage.close();
  });

  test("where nothing gets through, the error says that nothing was stored", async () => {
    const namespace = newNamespace();
    await open(namespace).createBucket(bucketOf("window"));
    const storage = postgres({
      namespace,
      pool: unlucky(pool, (text) => (text.includes("put_events") ? "unready" : undefined)),
    });
    const error = await withShortSeconds(() => refusalOf(storage.putEvents("window", [draftOf(1)])));
    assert.ok(ActivityError.is(error) && error.code === "STORAGE_FAILED", String(error));
    assert.match(error.message, "nothing of this was stored");
    assert.is(await storage.countEvents("window"), 0);
    await storage.close();
  });

  test("a database that lost what it acknowledged, lanes included, is written to again", async () => {
    const namespace = newNamespace();
    const storage = open(namespace);
    await storage.createBucket(bucketOf("window"));
    for (let n = 0; n < 4; n++) await storage.putEvents("window", [draftOf(n)]);
    // As after a failover to a standby that was not synchronous.
    await pool.query("update activity_server.writes set step = step - 2 where namespace = $1", [namespace]);
    for (let n = 4; n < 8; n++) await storage.putEvents("window", [draftOf(n)]);
    assert.is(await storage.countEvents("window"), 8);
    await storage.close();
  });

  test("a write that was given up is refused when it arrives at last", async () => {
    const namespace = newNamespace();
    await open(namespace).createBucket(bucketOf("window"));
    let late: Statement | undefined;
    const slow = unlucky(pool, (text, statement) => {
      if (late !== undefined || !text.includes("put_events")) return undefined;
      late = statement;
      return "statement";
    });
    const storage = postgres({ pool: slow, namespace });
    await storage.putEvents("window", [draftOf(1)]);
    assert.is(await codeOf(pool.query(late as unknown as Statement)), "AS001");
    assert.is(await storage.countEvents("window"), 1);
    await storage.close();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
