import { serverClosed } from "../errors.js";
import { createTenants, type Tenants, type TenantsOptions } from "../index.js";
import { lazyStorage } from "../storage/lazy-storage.js";
import type { Storage } from "../storage/storage.js";
import { checkSeed } from "./day.js";
import { FailurePlan, type TestFailure } from "./failure-plan.js";
import type { FakeClock } from "./fake-clock.js";
import { type Filling, load } from "./filling.js";
import { createUuid } from "./random.js";
import { createResettableStorage, type ResettableStorage } from "./resettable-storage.js";
import { refuseStorage, resolveClock, type TestServerOptions } from "./test-server.js";
import { TEST_HOSTNAME } from "./watchers.js";

/** Options of a tenant's server in a test. */
export type TestTenantOptions<Identity extends object = object, Context = never> = Omit<
  TestServerOptions<Identity, Context>,
  "seed" | "clock" | "fail"
>;

/** How the tenants of a test behave: what `createTenants` accepts, with defaults for tests. */
export interface TestTenantsOptions<Identity extends object = object, Context = never>
  extends Omit<TenantsOptions<Identity, Context>, "open"> {
  /** Returns the options of a tenant's server, without a storage. @default none */
  readonly open?:
    | ((id: string) => TestTenantOptions<Identity, Context> | Promise<TestTenantOptions<Identity, Context>>)
    | undefined;
  /** An integer that determines the device IDs. @default 1 */
  readonly seed?: number | undefined;
  /** The clock of all tenants, or the start time of a new one. @default a new one at `TEST_START` */
  readonly clock?: TestServerOptions["clock"] | undefined;
}

/** Tenants for the duration of a test. Their data are in memory, and outlive the closing of a tenant's server. */
export interface TestTenants<Identity extends object = object, Context = never> extends Tenants<Identity, Context> {
  /** The clock of all tenants. It does not move until the test moves it. */
  readonly clock: FakeClock;
  /** Creates buckets of a tenant and inserts their events, as `load` of a test server. @throws as it does, and `get` */
  load(id: string, filling: Filling): Promise<void>;
  /** Makes the storage of a tenant fail from now on, or with `undefined` no longer. @throws TypeError for a failure */
  fail(id: string, failure: TestFailure | undefined): void;
  /**
   * Returns to the initial state: no tenant has data, no storage fails, the clock is at its start. Calls in progress
   * finish first.
   *
   * @throws ActivityError `STORAGE_CLOSED` after `close()`
   */
  reset(): Promise<void>;
}

/** What a tenant keeps while its server is closed. */
interface TenantData {
  readonly storage: ResettableStorage;
  readonly failures: FailurePlan;
}

/**
 * Creates tenants for tests of an app that calls `createTenants`.
 *
 * @throws ActivityError `INVALID_INPUT` for a wrong seed or clock; TypeError for other options that cannot work
 */
export function createTestTenants<Identity extends object = object, Context = never>(
  options: TestTenantsOptions<Identity, Context> = {},
): TestTenants<Identity, Context> {
  const { open, seed, clock: given, ...others } = options;
  const checked = checkSeed(seed ?? 1);
  const clock = resolveClock(given);
  let tenantData = new Map<string, TenantData>();
  let isClosed = false;

  function dataFor(id: string, all: Map<string, TenantData> = tenantData): TenantData {
    const found = all.get(id);
    if (found !== undefined) return found;
    const failures = new FailurePlan();
    const created = { failures, storage: createResettableStorage(createUuid(`device ${checked} of ${id}`), failures) };
    all.set(id, created);
    return created;
  }

  function create(): Tenants<Identity, Context> {
    const all = tenantData;
    return createTenants<Identity, Context>({
      ...others,
      async open(id) {
        const { hostname = TEST_HOSTNAME, testing = true, ...own } = (await open?.(id)) ?? {};
        refuseStorage(own);
        return {
          ...own,
          hostname,
          testing,
          clock,
          storage: withoutClosing(dataFor(id, all).storage, () => all.delete(id)),
        };
      },
    });
  }

  let tenants = create();

  function close(): Promise<void> {
    isClosed = true;
    return tenants.close();
  }

  return {
    get size() {
      return tenants.size;
    },
    clock,
    get: (id) => tenants.get(id),
    use: (id, work) => tenants.use(id, work),
    nodeHandler: (...request) => tenants.nodeHandler(...request),
    fetch: (...request) => tenants.fetch(...request),
    each: (work, ids) => tenants.each(work, ids),
    delete: (id) => tenants.delete(id),
    load: (id, filling) => tenants.use(id, (server) => load(server, filling)),
    fail: (id, failure) => dataFor(id).failures.set(failure),
    async reset() {
      if (isClosed) throw serverClosed();
      const before = tenants;
      tenantData = new Map();
      tenants = create();
      await before.close();
      clock.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A kept storage for one opening of a tenant: it refuses calls once it is closed, but its data stay. */
function withoutClosing(storage: ResettableStorage, onDestroyed: () => void): Storage {
  const { traits } = storage;
  const opened: Storage = {
    ...storage,
    close: async () => undefined,
    async destroy() {
      onDestroyed();
      await storage.close();
    },
  };
  return lazyStorage(async () => opened, { traits });
}
