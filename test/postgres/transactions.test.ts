// Transactions of two nodes at once, and on connections that fail at every statement.
// long: 300 s
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { EventBatch } from "../../src/domain/batch.js";
import type { Storage } from "../../src/storage/storage.js";
import type { TransactionChange } from "../../src/storage/transaction.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { transact } from "../contract/transacting.js";
import { sizeOf } from "../faults/sizes.js";
import { postgresGround } from "./ground.js";
import { type Fate, unlucky } from "./unlucky.js";

const test = suite("postgres transactions");

const ground = await postgresGround();
const ROUNDS = sizeOf("TRANSACTION_ROUNDS", { short: 8, long: 40 });
/** Of the statements of a transaction every n-th is lost. */
const every = process.env.TEST_LONG === "1" ? 1 : 5;

/** The id that an event brings; the database gives the others. */
const BROUGHT = 1_000_000;

/** Renames one of two buckets, deletes the other and writes a record; as often as it is carried out it counts. */
function move(storage: Storage): Promise<boolean> {
  return transact(storage, ["window", "old", "new"], async (view) => {
    const count = await view.getRecord("count", "n");
    const changes: TransactionChange[] = [
      { kind: "putEvents", bucketId: "window", drafts: [draftOf(5), { ...draftOf(6), id: BROUGHT }] },
      { kind: "rename", bucketId: "window", newId: "new" },
      { kind: "delete", bucketId: "old" },
      { kind: "create", bucket: bucketOf("window"), drafts: [draftOf(9)] },
      { kind: "record", recordKind: "count", key: "n", expected: count, value: Number(count ?? 0) + 1 },
    ];
    return changes;
  });
}

/** What is stored, without the ids that the database gave: all namespaces draw them from one sequence. */
async function contentOf(storage: Storage): Promise<unknown> {
  const buckets: unknown[] = [];
  for (const { id } of await storage.listBuckets()) {
    const events = await read(storage, id);
    buckets.push([id, events.map((event) => ({ ...event, id: event.id === BROUGHT ? BROUGHT : "given" }))]);
  }
  return [buckets, await storage.records("count").get("n")];
}

async function prepare(storage: Storage): Promise<void> {
  await storage.createBucket(bucketOf("window"), [draftOf(1), draftOf(2)]);
  await storage.createBucket(bucketOf("old"), [draftOf(3)]);
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { newNamespace, open, pool, contract, url } = ground;

  test("creating a bucket that exists waits for no transaction of another bucket", async () => {
    const namespace = newNamespace();
    const [first, second] = [open(namespace), open(namespace)];
    await first.createBucket(bucketOf("there"));
    let created: unknown = "nothing";
    await transact(first, ["other"], async () => {
      created = await second.createBucket(bucketOf("there"), [], { recordKind: "kind", key: "there" });
      return [];
    });
    assert.is(created, undefined);
    await first.close();
    await second.close();
  });

  test("a transaction deletes more events than one statement takes ids", async () => {
    const storage = open(newNamespace());
    await storage.createBucket(
      bucketOf("window"),
      Array.from({ length: 21_000 }, (_, at) => draftOf(at)),
    );
    const [oldest, ...others] = (await read(storage, "window")).reverse();
    const eventIds = others.map(({ id }) => id);
    await transact(storage, ["window"], async () => [{ kind: "deleteEvents", bucketId: "window", eventIds }]);
    assert.equal(await read(storage, "window"), [oldest]);
    await storage.close();
  });

  test("a transaction reads more buckets at once than there are connections, each longer than what is read ahead", async () => {
    const own = new pg.Pool({ connectionString: url, max: 2 });
    const storage = postgres({ pool: own, namespace: newNamespace() });
    const ids = ["a", "b", "c"];
    const drafts = Array.from({ length: 1_200 }, (_, at) => draftOf(at, 1, `${at} ${"x".repeat(5_000)}`));
    for (const id of ids) await storage.createBucket(bucketOf(id), drafts);
    const seen: number[] = [];
    await transact(storage, ids, async (view) => {
      const reads: AsyncIterator<EventBatch>[] = [];
      for (const id of ids) reads.push((await view.read(id, { order: "oldest" })).batches[Symbol.asyncIterator]());
      for (let isOver = false; !isOver; ) {
        const pulled = await Promise.all(reads.map((each) => each.next()));
        isOver = pulled.every(({ done }) => done === true);
        for (const { value } of pulled) seen.push(...((value as EventBatch | undefined)?.timestamps ?? []));
      }
      return [];
    });
    assert.equal(
      seen.sort((a, b) => a - b),
      drafts.flatMap(({ timestamp }) => [timestamp, timestamp, timestamp]),
    );
    await storage.close();
    await own.end();
  });

  test("a transaction needs one connection, so that it goes on while a long read has the other one", async () => {
    const own = new pg.Pool({ connectionString: url, max: 2 });
    const storage = postgres({ pool: own, namespace: newNamespace() });
    const drafts = Array.from({ length: 12_000 }, (_, at) => draftOf(at, 1, `${at} ${"x".repeat(5_000)}`));
    await storage.createBucket(bucketOf("a"), drafts);
    const { batches } = await storage.read("a", { order: "oldest" });
    const long = batches[Symbol.asyncIterator]();
    let seen = ((await long.next()).value as EventBatch).length;
    const told: unknown[] = [];
    await transact(storage, ["a"], async (view) => {
      const target = await view.mergeTarget("a");
      told.push((await view.getBucket("a"))?.id, await view.countEvents("a"), await view.getRecord("kind", "key"));
      const { batches: held } = await view.read("a", { order: "oldest", limit: 700 });
      let read = 0;
      for await (const batch of held) read += batch.length;
      told.push(read, (await view.nextEventId("a")) > (target?.id ?? 0));
      const event = await view.getEvent("a", target?.id ?? 0);
      told.push(event?.timestamp === target?.timestamp);
      return [{ kind: "deleteEvents", bucketId: "a", eventIds: [target?.id ?? 0] }];
    });
    assert.equal(told, ["a", 12_000, undefined, 700, true, true]);
    for (let next = await long.next(); !next.done; next = await long.next()) seen += next.value.length;
    assert.equal([seen, await storage.countEvents("a")], [12_000, 11_999]);
    await storage.close();
    await own.end();
  });

  test("two nodes that hold the same buckets in other orders wait for each other, and lose nothing", async () => {
    const first = await contract.create();
    const second = await contract.second(first);
    const ids = ["a", "b", "c"];
    for (const id of ids) await first.createBucket(bucketOf(id));
    const calls: Promise<unknown>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, storage] of [first, second].entries()) {
        const [from = "", to = ""] = [0, 1].map((step) => ids[(round + (index === 0 ? step : 2 - step)) % 3]);
        calls.push(
          transact(storage, [from, to], async (view) => {
            const held = await view.countEvents(from);
            const label = `${round} of ${index} on ${held}`;
            return [from, to].map((bucketId) => ({
              ...{ kind: "putEvents", bucketId, drafts: [draftOf(round, 1, label)] },
            })) as TransactionChange[];
          }),
          storage.heartbeat(ids[round % 3] ?? "", draftOf(10_000 + round * 10 + index, 0, `beat ${index}`), -1),
        );
      }
    }
    await Promise.all(calls);
    let events = 0;
    for (const id of ids) events += await second.countEvents(id);
    assert.is(events, ROUNDS * 2 * 3);
    for (const storage of [first, second]) await storage.close();
  });

  test("a heartbeat of another node waits, and finds what the transaction left", async () => {
    const first = await contract.create();
    const second = await contract.second(first);
    await first.createBucket(bucketOf("window"), [draftOf(1, 1, "beat")]);
    let beat: Promise<unknown> = Promise.resolve();
    await transact(first, ["window", "renamed"], async (view) => {
      beat = second.heartbeat("window", draftOf(2, 1, "beat"), 5).catch((thrown: unknown) => thrown);
      await view.countEvents("window");
      return [{ kind: "rename", bucketId: "window", newId: "renamed" }];
    });
    assert.match(String(await beat), "no bucket named 'window'");
    assert.is((await second.heartbeat("renamed", draftOf(2, 1, "beat"), 5)).duration, 2);
    for (const storage of [first, second]) await storage.close();
  });

  for (const fate of ["answer", "statement"] as const) {
    test(`it is carried out once, whichever of its statements loses its ${fate}`, async () => {
      const plain = open(newNamespace());
      await prepare(plain);
      await move(plain);
      const expected = await contentOf(plain);
      let tried = 0;
      for (let nth = 1; ; nth += every) {
        const namespace = newNamespace();
        const other = open(namespace);
        await prepare(other);
        let count = 0;
        let isWithin = false;
        const storage = postgres({
          namespace,
          pool: unlucky(pool, (text): Fate => {
            if (text === "begin") isWithin = true;
            if (isWithin && ++count === nth) return fate;
            return undefined;
          }),
        });
        assert.is(await move(storage), true);
        assert.equal(await contentOf(other), expected, `statement ${nth}`);
        await storage.close();
        await other.close();
        if (count < nth) break;
        tried++;
      }
      assert.ok(tried >= 15 / every, `only ${tried} statements`);
      await plain.close();
    });
  }

  test("the connections of the suite end", () => ground.finish());
}

test.run();
