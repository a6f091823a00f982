// A tenant is deleted: after work in progress, without a trace, and the next use opens a new one.
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../adapters/leveldb/index.js";
import { memory } from "../adapters/memory.js";
import { createTenants, type Storage, type TenantsOptions } from "../src/index.js";
import { newDataFolder, withFolder } from "./adapters/folder.js";
import { filesWith, uniqueText } from "./adapters/traces.js";
import { postgresGround } from "./postgres/ground.js";
import { codeOf } from "./refusals.js";

const test = suite("deletion of tenants");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const WRITE: RequestInit = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(BUCKET),
};

/** Tenants whose data outlive their servers in memory, until they are destroyed. */
function house({ destroying, ...options }: Partial<TenantsOptions> & { readonly destroying?: () => unknown } = {}) {
  const stored = new Map<string, Storage>();
  const notes: string[] = [];
  const open: TenantsOptions["open"] = (id) => {
    notes.push(`open ${id}`);
    const kept = stored.get(id) ?? memory();
    stored.set(id, kept);
    const close = async () => void notes.push(`close ${id}`);
    const destroy = async () => {
      await destroying?.();
      stored.delete(id);
      notes.push(`destroy ${id}`);
      await kept.close();
    };
    return { storage: { ...kept, close, destroy } };
  };
  return { tenants: createTenants({ open, ...options }), notes };
}

const namesOf = (listing: readonly { readonly id: string }[]): string[] => listing.map(({ id }) => id);

async function playDeletion(storageOf: (id: string) => Storage, hasTrace: (mark: string) => Promise<boolean>) {
  const mark = uniqueText();
  const tenants = createTenants({ open: (id) => ({ storage: storageOf(id) }) });
  for (const id of [mark, "other"]) {
    await tenants.use(id, async (server) => {
      await server.buckets.create("kept", { ...BUCKET, hostname: id }, [{ timestamp: "2024-01-01", data: { id } }]);
      await server.buckets.create("gone", { ...BUCKET, hostname: id });
      await server.buckets.delete("gone");
      await server.settings.put("name", id);
    });
  }
  const { deviceId } = await tenants.use(mark, (server) => server.info());
  const before = await tenants.get(mark);
  await tenants.delete(mark);
  assert.not(await hasTrace(mark), "nothing remains");
  assert.is(await codeOf(before.buckets.list()), "STORAGE_CLOSED");
  assert.is(tenants.size, 1);
  await tenants.use(mark, async (server) => {
    assert.equal([await server.buckets.list(), await server.trash.list(), await server.settings.list()], [[], [], {}]);
    assert.is.not((await server.info()).deviceId, deviceId);
  });
  assert.equal(await tenants.use("other", async (server) => namesOf(await server.buckets.list())), ["kept"]);
  await tenants.close();
}

test("nothing remains of it in memory", () => {
  const stored = new Map<string, Storage>();
  const storageOf = (id: string): Storage => {
    const storage = memory();
    stored.set(id, storage);
    return storage;
  };
  return playDeletion(
    storageOf,
    async (id) => (await codeOf((stored.get(id) as Storage).listBuckets())) !== "STORAGE_CLOSED",
  );
});

test("nothing remains of it on LevelDB, open or closed", () =>
  withFolder(async (folder) => {
    await playDeletion(
      (id) => leveldb({ path: path.join(folder, id) }),
      async (mark) => filesWith(folder, mark).some((file) => file !== path.join(folder, mark)),
    );
    const data = path.join(folder, "closed");
    await newDataFolder(data);
    const mark = uniqueText();
    const open = () => ({ storage: leveldb({ path: data }) });
    const before = createTenants({ open });
    await before.use("a", (server) => server.settings.put("mark", mark));
    await before.close();
    assert.is.not(filesWith(data, mark).length, 0);
    const tenants = createTenants({ open });
    await tenants.delete("a");
    assert.equal([filesWith(data, mark), tenants.size], [[], 0]);
    await tenants.close();
  }));

test("nothing remains of it on PostgreSQL", async () => {
  const ground = await postgresGround();
  if (ground === undefined) return assert.is(process.env.CI, undefined);
  const { pool, open } = ground;
  await playDeletion(open, async (mark) => {
    const tables = ["namespaces", "buckets", "events", "settings", "records", "writes", "changes"];
    const counts = tables.map((table) =>
      pool.query(`select 1 from activity_server.${table} t where strpos(t::text, $1) > 0`, [mark]),
    );
    return (await Promise.all(counts)).some(({ rows }) => rows.length > 0);
  });
  await ground.finish();
});

test("it waits for uses, lets these start others, and happens once however often it is called", async () => {
  const { tenants, notes } = house();
  const { promise, resolve } = deferred();
  const using = tenants.use("a", async (server) => {
    await promise;
    await server.buckets.create("b", BUCKET);
    return (await tenants.fetch("a", "/api/0/buckets/b")).status;
  });
  await tenants.get("a");
  const deletions = [tenants.delete("a"), tenants.delete("a")];
  await new Promise((next) => setImmediate(next));
  assert.equal(notes, ["open a"]);
  resolve();
  assert.is(await using, 200);
  await Promise.all(deletions);
  assert.equal(notes, ["open a", "destroy a"]);
  assert.equal(await tenants.use("a", (server) => server.buckets.list()), []);
  await tenants.close();
});

for (const state of ["open", "closed", "being closed", "being opened"] as const) {
  test(`uses during the deletion of a tenant that is ${state} get a new one`, async () => {
    const { promise, resolve } = deferred();
    const { tenants, notes } = house({ destroying: () => promise, max: 1 });
    await tenants.use("a", (server) => server.buckets.create("old", BUCKET));
    if (state === "closed") {
      await tenants.get("b");
      while (!notes.includes("close a")) await new Promise((next) => setImmediate(next));
    }
    if (state === "being closed") {
      await tenants.get("b");
      while (tenants.size > 1) await new Promise((next) => setImmediate(next));
    }
    const opening = state === "being opened" ? house({ destroying: () => promise }) : undefined;
    const all = opening?.tenants ?? tenants;
    const first = opening && all.get("a");
    const deleting = all.delete("a");
    await first;
    await new Promise((next) => setImmediate(next));
    const asked = Promise.all([
      all.get("a").then((server) => server.buckets.list()),
      all.fetch("a", "/api/0/buckets/new", WRITE),
    ]);
    await new Promise((next) => setImmediate(next));
    resolve();
    await deleting;
    const [, written] = await asked;
    assert.is(written.status, 200);
    assert.equal(namesOf(await (await all.get("a")).buckets.list()), ["new"]);
    await Promise.all([tenants.close(), all.close()]);
  });
}

test("a failure reaches the caller, the data stay, and the next deletion continues", async () => {
  const failures: unknown[] = [new Error("no disk")];
  const { tenants, notes } = house({
    destroying() {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    },
  });
  await tenants.use("a", (server) => server.buckets.create("b", BUCKET));
  const [failed, again] = await Promise.allSettled([tenants.delete("a"), tenants.delete("a")]);
  assert.equal([failed.status, again.status], ["rejected", "rejected"]);
  assert.is((failed as PromiseRejectedResult).reason.message, "no disk");
  assert.equal(await tenants.use("a", async (server) => namesOf(await server.buckets.list())), ["b"]);
  await tenants.delete("a");
  assert.equal(notes, ["open a", "close a", "open a", "destroy a"]);
  await tenants.close();
  const broken = createTenants({ open: () => Promise.reject(new Error("no database")) });
  assert.match(String(await broken.delete("a").catch(String)), "no database");
  await broken.close();
});

test("closing finishes a deletion that waits, and refuses later ones and those of no ID", async () => {
  const { tenants, notes } = house();
  const { promise, resolve } = deferred();
  const using = tenants.use("a", () => promise);
  await tenants.get("a");
  const deleting = tenants.delete("a");
  await tenants.close();
  await deleting;
  resolve();
  await using;
  assert.equal(notes, ["open a", "destroy a"]);
  assert.is(await codeOf(tenants.delete("a")), "STORAGE_CLOSED");
  assert.is(await codeOf(tenants.delete("../a")), "INVALID_INPUT");
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test.run();
