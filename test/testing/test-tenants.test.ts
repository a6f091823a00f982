import { suite } from "uvu";
import * as assert from "uvu/assert";
import { allow, deny } from "../../src/index.js";
import { bucket, createTestTenants, event, fakeClock, realisticDay } from "../../src/testing/index.js";
import { until } from "../http/client.js";
import { codeOf } from "../refusals.js";

const test = suite("test tenants");

const { id, ...RECORD } = bucket();

test("data outlive the closing of a tenant, and its old server is refused", async () => {
  const tenants = createTestTenants({ max: 1 });
  const before = await tenants.get("ann");
  await tenants.load("ann", realisticDay());
  await tenants.get("bob");
  await until(() => tenants.size === 1, "closing");
  assert.is(await codeOf(before.buckets.list()), "STORAGE_CLOSED");
  assert.is(await tenants.use("ann", async ({ buckets }) => (await buckets.list()).length), 4);
  await tenants.use("bob", async (server) => assert.equal(await server.buckets.list(), []));
  await tenants.close();
  assert.is(await codeOf(tenants.get("ann")), "STORAGE_CLOSED");
  assert.is(await codeOf(tenants.reset()), "STORAGE_CLOSED");
});

test("device IDs depend on the seed and the tenant alone, and stay", async () => {
  const shown: string[][] = [];
  for (const seed of [1, 1, 2]) {
    const tenants = createTestTenants({ seed });
    const devices: string[] = [];
    for (const tenant of ["ann", "bob", "ann"]) {
      devices.push((await tenants.use(tenant, (server) => server.info())).deviceId);
      await tenants.delete("ann");
    }
    shown.push(devices);
    await tenants.close();
  }
  const [first, same, other] = shown as [string[], string[], string[]];
  assert.equal(first, same);
  assert.is(new Set([...first, ...other]).size, 4);
});

test("the storage of one tenant can fail and recover, before and after it is opened", async () => {
  const tenants = createTestTenants();
  tenants.fail("ann", { after: 1, code: "STORAGE_FULL" });
  await tenants.use("ann", async (server) => {
    await server.buckets.create(id, RECORD);
    assert.is(await codeOf(server.events.insert(id, event())), "STORAGE_FULL");
  });
  await tenants.use("bob", (server) => server.buckets.create(id, RECORD));
  tenants.fail("ann", undefined);
  await tenants.use("ann", (server) => server.events.insert(id, event()));
  assert.throws(() => tenants.fail("ann", { code: "VETOED" as never }), /fail\.code must be one of/);
  await tenants.close();
});

test("reset and delete leave nothing", async () => {
  const clock = fakeClock();
  const tenants = createTestTenants({ clock });
  assert.is(tenants.clock, clock);
  for (const tenant of ["ann", "bob"]) await tenants.use(tenant, (server) => server.buckets.create(id, RECORD));
  const started = clock.now();
  clock.advance("1h");
  await tenants.delete("ann");
  const listed = (tenant: string) => tenants.use(tenant, async ({ buckets }) => (await buckets.list()).length);
  assert.equal([await listed("ann"), await listed("bob")], [0, 1]);
  tenants.fail("bob", {});
  await tenants.reset();
  assert.equal([tenants.size, clock.now()], [0, started]);
  assert.is(await listed("bob"), 0);
  await tenants.use("bob", (server) => server.buckets.create(id, RECORD));
  await tenants.close();
});

test("options of a tenant and the context of a request reach its server", async () => {
  const tenants = createTestTenants<{ readonly name: string }, { readonly user: string }>({
    open: async (tenant) => ({
      hostname: `${tenant}-desk`,
      authorize: ({ context }) => (context?.user === tenant ? allow({ name: tenant }) : deny()),
    }),
  });
  const context = { user: "ann" };
  const response = await tenants.fetch("ann", "/api/0/info", { context });
  assert.is(((await response.json()) as { readonly hostname: string }).hostname, "ann-desk");
  assert.is((await tenants.fetch("bob", "/api/0/buckets", { context })).status, 403);
  await tenants.close();
});

test("a storage and a clock that do not fit are refused", async () => {
  const tenants = createTestTenants({ open: () => ({ storage: {} }) as object });
  assert.match(String(await tenants.get("ann").catch(String)), "a test server has its own storage");
  await tenants.close();
  assert.throws(() => createTestTenants({ clock: Date.now as never }), /must be a fakeClock\(\)/);
  assert.throws(() => createTestTenants({ seed: 0.5 }), /seed must be an integer/);
});

test.run();
