// long: 600 s

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { micros } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { withRecords } from "../overridden-records.js";
import { refusalOf } from "../refusals.js";
import { BUCKET, eventsOf, finish, onEach } from "./grounds.js";

const test = suite("trash");

function drafts(count: number, from = 0) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + (from + index) * 60_000),
    duration: { seconds: 30 },
    data: { app: `app ${(from + index) % 7}`, "": [index], nested: { __proto__: null, ü: "\ud800" } },
  }));
}

test("records of a bucket that are changed while it is deleted, or comes back, keep neither from happening", async () => {
  const held = memory() as Storage & Pick<Required<Storage>, "transact">;
  let meanwhile: (() => Promise<unknown>) | undefined;
  const transact: Required<Storage>["transact"] = (bucketIds, plan) =>
    held.transact(bucketIds, async (view) => {
      const changes = await plan(view);
      const action = meanwhile;
      meanwhile = undefined;
      await action?.();
      return changes;
    });
  await withServer({ door: "process", storage: { ...held, settings: held.settings, transact } }, async ({ server }) => {
    await server.buckets.create("b", BUCKET, drafts(3));
    const access = held.records("bucket-access");
    await server.buckets.setAccess("b", "append-only");
    assert.is(await server.buckets.getAccess("b"), "append-only");
    meanwhile = () => access.compareAndSet("b", "append-only", "read-only");
    const { entry: entryId } = await server.buckets.delete("b");
    assert.ok(entryId);
    assert.equal(await server.buckets.list(), []);
    assert.is(await access.get("b"), undefined);
    // Known at once to this server too.
    await server.buckets.create("b", BUCKET);
    assert.is(await server.buckets.getAccess("b"), "open");
    await server.buckets.delete("b");
    await held.records("privacy").compareAndSet("b", undefined, [3]);
    meanwhile = () => held.records("privacy").compareAndSet("b", [3], [5]);
    assert.equal(await server.trash.restore(entryId), [{ bucketId: "b", events: 3, created: true }]);
    assert.is(await server.buckets.getAccess("b"), "read-only");
    assert.is(await held.records("privacy").get("b"), undefined);
  });
});

test("the end of an entry is that of its longest event, however many are newer", () =>
  onEach(async ({ open }) => {
    const server = open();
    const long = { timestamp: "2023-12-31T00:00:00Z", duration: { seconds: 365 * 86_400 }, data: {} };
    await server.buckets.create("b", BUCKET, [long, ...drafts(150)]);
    const { start, end } = await server.buckets.get("b");
    await server.buckets.delete("b");
    const [entry] = await server.trash.list();
    assert.equal([entry?.start, entry?.end], [start, end]);
    assert.equal([entry?.buckets[0]?.start, entry?.buckets[0]?.end], [start, end]);
  }));

test("private times of a bucket come back with it, and join those of another one", () =>
  onEach(async ({ open, storage }) => {
    let server = open();
    const rules = [{ when: { key: "app", equals: "secret" }, then: "drop" }];
    await server.settings.put("privacy_rules", rules);
    const beat = (bucketId: string, seconds: number, app = "a") =>
      server.heartbeat(bucketId, { timestamp: micros(seconds * 1_000_000), data: { app } }, { seconds: 60 });
    const spans = async (bucketId: string): Promise<unknown> =>
      (await eventsOf(server, bucketId)).map(({ timestamp, duration }) => [
        timestamp / 1_000_000,
        duration / 1_000_000,
      ]);
    for (const id of ["b", "c"]) await server.buckets.create(id, BUCKET);
    for (const id of ["b", "c"]) await beat(id, 0);
    await beat("b", 5, "secret");
    const { entry: entryId } = await server.buckets.delete("b");
    // One that is made anew knows nothing of it.
    await server.buckets.create("b", BUCKET);
    for (const seconds of [0, 10]) await beat("b", seconds);
    assert.equal(await spans("b"), [[0, 10]]);
    server = open();
    await server.trash.restore(entryId ?? "", { bucket: "d" });
    for (const seconds of [8, 9]) await beat("d", seconds);
    assert.equal(await spans("d"), [
      [0, 0],
      [8, 1],
    ]);
    // Where events join those of another bucket, nothing is merged across the times of either.
    await beat("c", 20, "secret");
    const other = await server.buckets.delete("c");
    await server.buckets.create("c", BUCKET);
    await beat("c", 0);
    await beat("c", 12, "secret");
    await server.trash.restore(other.entry ?? "", { merge: true });
    server = open();
    for (const seconds of [15, 25]) await beat("c", seconds);
    assert.equal(await spans("c"), [
      [0, 0],
      [0, 0],
      [15, 0],
      [25, 0],
    ]);
    // Past the trash they are gone as well.
    for (const id of ["b", "c", "d"]) await server.buckets.delete(id, { permanent: true });
    await server.trash.empty();
    assert.is((await storage().records("privacy").list()).size, 0);
  }));

test("a deleted bucket comes back as it was: its record, its place, its events with their ids", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("first", BUCKET, drafts(1500));
    await server.buckets.create("second", BUCKET, drafts(3));
    const [record, events] = [await server.buckets.get("first"), await eventsOf(server, "first")];
    const deleted = await server.buckets.delete("first");
    assert.match(await refusalOf(server.buckets.get("first")), "NO_SUCH_BUCKET");

    const [entry, ...others] = await server.trash.list();
    assert.equal(others, []);
    assert.equal(deleted, { entry: entry?.id });
    assert.is(entry?.kind, "bucket");
    assert.is(entry?.events, 1500);
    assert.is(entry?.start, record.start);
    assert.is(entry?.end, record.end);
    assert.ok(entry !== undefined && entry.bytes > 1500 * 50 && entry.bytes < 1500 * 400, String(entry?.bytes));
    assert.is((entry?.expires ?? 0) - (entry?.deleted ?? 0), 30 * 86_400_000_000);
    assert.equal(
      entry?.buckets.map(({ bucketId, whole }) => [bucketId, whole]),
      [["first", true]],
    );

    const again = open();
    const restored = await again.trash.restore(entry?.id ?? "");
    assert.equal(restored, [{ bucketId: "first", events: 1500, created: true }]);
    assert.equal(await again.buckets.get("first"), record);
    assert.equal(
      (await again.buckets.list()).map(({ id }) => id),
      ["first", "second"],
    );
    assert.equal(await eventsOf(again, "first"), events);
    assert.equal(await again.trash.list(), []);
    assert.match(await refusalOf(again.trash.restore(entry?.id ?? "")), "NO_SUCH_ENTRY");
  }));

test("a bucket of the same id begins empty, and says how the old one can come back beside or into it", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("b", BUCKET, drafts(3));
    await server.buckets.setAccess("b", "append-only");
    const old = await eventsOf(server, "b");
    await server.buckets.delete("b");
    assert.is(await server.buckets.create("b", BUCKET), true);
    assert.equal(await eventsOf(server, "b"), []);
    assert.is(await server.buckets.getAccess("b"), "open");
    const [fresh] = await server.events.insert("b", drafts(1, 10));

    const [entry] = await server.trash.list();
    const id = entry?.id ?? "";
    const taken = await refusalOf(server.trash.restore(id));
    assert.match(taken, /^CONFLICT: a bucket named 'b' exists again; send another ID as bucket, or merge: true/);
    assert.match(await refusalOf(server.trash.restore(id, { bucket: ".trash/x/0" })), "INVALID_INPUT");
    assert.equal(await server.trash.restore(id, { bucket: "old" }), [{ bucketId: "old", events: 3, created: true }]);
    assert.equal(await eventsOf(server, "old"), old);
    assert.is(await server.buckets.getAccess("old"), "append-only");

    await server.buckets.delete("old");
    const [again] = await server.trash.list();
    assert.equal(await server.trash.restore(again?.id ?? "", { bucket: "b", merge: true }), [
      { bucketId: "b", events: 3, created: false },
    ]);
    assert.equal(await eventsOf(server, "b"), [...old, fresh]);
    assert.equal(
      (await server.buckets.list()).map((bucket) => bucket.id),
      ["b"],
    );
  }));

test("a deleted event comes back under its id, and under a new one where that is taken", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("b", BUCKET, drafts(3));
    const [first, second, third] = await eventsOf(server, "b");
    assert.ok(first && second && third);
    const deleted = await server.events.delete("b", second.id);
    assert.is(await server.events.delete("b", second.id), undefined);
    assert.match(await refusalOf(server.events.delete("nowhere", 1)), "NO_SUCH_BUCKET");
    const [entry] = await server.trash.list();
    assert.equal(deleted, { entry: entry?.id });
    assert.equal(
      [entry?.kind, entry?.events, entry?.start, entry?.end, entry?.duration],
      ["events", 1, second.timestamp, second.timestamp + 30_000_000, 30_000_000],
    );
    await server.trash.restore(entry?.id ?? "");
    assert.equal(await eventsOf(server, "b"), [first, second, third]);

    await server.events.delete("b", third.id);
    const other = { timestamp: new Date(), duration: "1s", data: {}, id: third.id } as const;
    await server.events.insert("b", other);
    await server.trash.restore((await server.trash.list())[0]?.id ?? "");
    const back = (await eventsOf(server, "b")).find(({ timestamp }) => timestamp === third.timestamp);
    assert.equal({ ...back, id: third.id }, third);
    assert.ok(back !== undefined && back.id > third.id);

    // Its bucket is gone by then.
    await server.events.delete("b", first.id);
    await server.buckets.delete("b");
    const ofEvent = (await server.trash.list()).find(({ kind }) => kind === "events");
    await server.trash.restore(ofEvent?.id ?? "");
    assert.equal(await eventsOf(server, "b"), [first]);
    assert.equal((await server.buckets.get("b")).data, BUCKET.data);
  }));

test("what is too large for a record is kept in a bucket of its own", () =>
  onEach(async ({ open }) => {
    const server = open();
    const large = { timestamp: "2024-01-01", duration: "1s", data: { text: "x".repeat(100_000) } } as const;
    await server.buckets.create("b", BUCKET, [large]);
    const events = await eventsOf(server, "b");
    await server.events.delete("b", events[0]?.id ?? 0);
    assert.equal(await eventsOf(server, "b"), []);
    const [entry] = await server.trash.list();
    assert.ok((entry?.bytes ?? 0) > 100_000);
    await server.trash.restore(entry?.id ?? "");
    assert.equal(await eventsOf(server, "b"), events);
  }));

test("nobody sees the buckets of the trash, or makes one", () =>
  onEach(async ({ open, storage }) => {
    const first = open();
    const seen: unknown[] = [];
    first.on("change", (notice) => seen.push(notice));
    await first.buckets.create("b", BUCKET, drafts(3));
    await first.buckets.delete("b");
    // A storage over unstorage has one writer at a time.
    await first.close();
    const raw = storage();
    const hidden = (await raw.listBuckets())[0]?.id ?? "";
    await raw.close();
    assert.match(hidden, /^\.trash\//);

    const server = open();
    server.on("change", (notice) => seen.push(notice));
    assert.equal(await server.buckets.list(), []);
    for (const [id, { method, path, body }] of Object.entries<Operation>(OPERATION_LIST)) {
      if (!path.includes(":bucketId") || id === "createBucket") continue;
      const at = path.replace(":bucketId", encodeURIComponent(hidden)).replace(":eventId", "1");
      const content = body?.["application/json"]?.example;
      assert.is((await sendJson(server, method, `${at}?force=1&pulsetime=1`, content)).status, 404, `${method} ${at}`);
    }
    assert.match(await refusalOf(server.buckets.create(hidden, BUCKET)), "INVALID_INPUT: bucketId must not start with");
    const document = { buckets: { [hidden]: { ...BUCKET, id: hidden, events: [] } } };
    assert.match(await refusalOf(server.import(JSON.stringify(document))), "INVALID_INPUT");
    let exported = "";
    for await (const piece of server.export()) exported += piece;
    assert.equal(JSON.parse(exported).buckets, {});
    const timeperiods = ["2023-01-01/2025-01-01"];
    assert.equal(await server.query({ timeperiods, query: "RETURN = query_bucket_names();" }), [[]]);
    const named = server.query({ timeperiods, query: `RETURN = query_bucket(${JSON.stringify(hidden)});` });
    assert.match(await refusalOf(named), "QUERY_FAILED");
    await server.buckets.create("c", BUCKET, drafts(1));
    assert.match(await refusalOf(server.identity.rename("c", { to: hidden })), "INVALID_INPUT");
    assert.not.ok(JSON.stringify(seen).includes(".trash/"), JSON.stringify(seen));
  }));

test("deletions and renames of one millisecond are listed newest first", () =>
  onEach(async ({ open }) => {
    const server = open();
    const ids = Array.from({ length: 8 }, (_, index) => `b${index}`);
    for (const id of ids) await server.buckets.create(id, BUCKET, drafts(1));
    for (const id of ids) await server.identity.rename(id, { to: `renamed-${id}` });
    for (const id of ids) await server.buckets.delete(`renamed-${id}`);
    const newestFirst = [...ids].reverse().map((id) => `renamed-${id}`);
    assert.equal(
      (await server.trash.list()).map(({ buckets: [bucket] }) => bucket?.bucketId),
      newestFirst,
    );
    assert.equal(
      (await server.identity.undoable()).map(({ to: [bucketId] }) => bucketId),
      newestFirst,
    );
  }));

test("what was in it for thirty days goes with the next deletion, at the start of a server, and is not shown before", () =>
  onEach(async ({ open, storage, clock }) => {
    const server = open();
    await server.buckets.create("b", BUCKET, drafts(300));
    await server.buckets.create("c", BUCKET, drafts(2));
    await server.buckets.delete("b");
    clock.advance({ seconds: 29 * 86_400 });
    await server.buckets.delete("c");
    assert.is((await server.trash.list()).length, 2);
    clock.advance({ seconds: 86_400 });
    const [entry, ...others] = await server.trash.list();
    assert.equal([entry?.buckets[0]?.bucketId, others.length], ["c", 0]);
    await server.buckets.create("d", BUCKET, drafts(1));
    await server.buckets.delete("d");
    const raw = storage();
    assert.is((await raw.listBuckets()).length, 2);
    assert.is((await raw.records("trash").list()).size, 2);
    await raw.close();
  }));

test("an entry can be deleted for good, or all of them; days: 0 is no trash at all", () =>
  onEach(async ({ open, storage }) => {
    const server = open();
    for (const id of ["a", "b", "c"]) {
      await server.buckets.create(id, BUCKET, drafts(2));
      await server.buckets.delete(id);
    }
    const [latest] = await server.trash.list();
    await server.trash.delete(latest?.id ?? "");
    assert.match(await refusalOf(server.trash.delete(latest?.id ?? "")), /^NO_SUCH_ENTRY/);
    assert.equal(await server.trash.empty(), { entries: 2, events: 4 });
    assert.equal(await server.trash.list(), []);
    await server.buckets.create("d", BUCKET, drafts(2));
    const [event] = await eventsOf(server, "d");
    assert.equal(await server.events.delete("d", event?.id ?? 0, { permanent: true }), { entry: null });
    assert.equal(await server.buckets.delete("d", { permanent: true }), { entry: null });
    const off = open({ trashDays: 0 });
    await off.buckets.create("e", BUCKET, drafts(2));
    assert.equal(await off.buckets.delete("e"), { entry: null });
    assert.equal(await off.trash.list(), []);
    const raw = storage();
    assert.equal(await raw.listBuckets(), []);
    assert.is((await raw.records("trash").list()).size, 0);
    await raw.close();
  }));

test("backups carry it", () =>
  onEach(async ({ open, storage }) => {
    const server = open();
    await server.buckets.create("b", BUCKET, drafts(3));
    await server.buckets.delete("b");
    const raw = storage();
    const kinds: string[] = [];
    for await (const item of raw.backup()) kinds.push(item.kind);
    assert.ok(kinds.includes("bucket") && kinds.includes("record"), kinds.join());
    assert.is((await raw.verify()).events, 3);
    await raw.close();
  }));

test("events go back into their bucket by whatever id it has now, and a redirect stays", () =>
  onEach(async ({ open }) => {
    const server = open();
    const times = ["2024-03-01", "2024-03-02", "2024-03-03"];
    for (const id of ["old", "other"]) {
      await server.buckets.create(
        id,
        BUCKET,
        times.map((timestamp) => ({ timestamp, data: { id } })),
      );
    }
    for (const id of ["old", "other"]) {
      const [newest] = await server.events.read(id).toArray();
      assert.ok(await server.events.delete(id, newest?.id as number));
    }
    await server.events.deleteMatchingIn({ end: "2024-03-02" });
    await server.identity.rename("old", { to: "new" });
    await server.identity.merge("new", { from: ["other"] });
    const entries = (await server.trash.list()).filter(
      ({ kind, reason }) => kind === "events" && !/merged/.test(reason),
    );
    assert.is(entries.length, 3);
    for (const { id } of entries) {
      const restored = await server.trash.restore(id);
      assert.equal([...new Set(restored.map(({ bucketId, created }) => `${bucketId} ${created}`))], ["new false"]);
    }
    assert.equal(
      (await server.buckets.list()).map(({ id }) => id),
      ["new"],
    );
    const found = (await server.events.read("new", { order: "oldest" }).toArray()).map(
      ({ timestamp, data }) => `${new Date(timestamp / 1000).toISOString().slice(0, 10)} ${data["id"]}`,
    );
    assert.equal(found.sort(), times.flatMap((time) => [`${time} old`, `${time} other`]).sort());
    assert.is((await server.identity.redirects()).length, 2);
  }));

test("a bucket comes back protected in the same step, whatever fails behind it", async () => {
  let isBroken = false;
  const storage = withRecords(memory(), ["bucket-access"], ({ compareAndSet }) => ({
    compareAndSet: (...given) => (isBroken ? Promise.reject(new Error("the disk is gone")) : compareAndSet(...given)),
  }));
  await withServer({ door: "process", storage, buckets: ["a"] }, async ({ server }) => {
    await server.buckets.setAccess("a", "read-only");
    await server.buckets.delete("a");
    const [entry] = await server.trash.list();
    isBroken = true;
    await server.trash.restore(entry?.id as string).catch(() => undefined);
    assert.is(await server.buckets.getAccess("a"), "read-only");
  });
});

test("the database ends", finish);

test.run();
