// A server for each tenant: opened once, closed when it is unused, never while something of it runs.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import {
  ActivityError,
  type ActivityServerOptions,
  createTenants,
  type Storage,
  type Tenants,
  type TenantsOptions,
} from "../src/index.js";
import { onPort } from "./harness.js";
import { until } from "./http/client.js";

const test = suite("tenants");

const BUCKET = { type: "t", client: "c", hostname: "h" };
/** More than an export sends at once. */
const MANY = Array.from({ length: 5_000 }, (_, index) => ({
  timestamp: `2024-03-01T00:00:${String(index % 60).padStart(2, "0")}Z`,
  data: { app: `${index} `.repeat(100) },
}));

/** A promise that a test resolves. */
function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Tenants whose data outlive their servers, and notes of what is opened and closed. */
function house(options: Partial<TenantsOptions> & { readonly closing?: () => Promise<void> } = {}): {
  readonly tenants: Tenants;
  readonly notes: string[];
  readonly errors: unknown[];
} {
  const { closing, ...others } = options;
  const stored = new Map<string, Storage>();
  const notes: string[] = [];
  const errors: unknown[] = [];
  const logger = { info() {}, warn() {}, error: (error: unknown) => void errors.push(error) };
  const open = (id: string): ActivityServerOptions => {
    notes.push(`open ${id}`);
    const kept = stored.get(id) ?? memory();
    stored.set(id, kept);
    const close = async (): Promise<void> => {
      await closing?.();
      notes.push(`close ${id}`);
    };
    return { storage: { ...kept, close } };
  };
  return { tenants: createTenants({ open, logger, ...others }), notes, errors };
}

const codeOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => "none",
    (thrown: unknown) => (ActivityError.is(thrown) ? thrown.code : thrown),
  );

test("each tenant has its own data by every door, and concurrent uses open it once", async () => {
  const { tenants, notes } = house();
  assert.is(tenants.size, 0);
  const [ann, again] = await Promise.all([tenants.get("ann"), tenants.get("ann"), tenants.fetch("ann", "/api/0/info")]);
  assert.is(ann, again);
  await ann.buckets.create("b", BUCKET);
  await onPort(
    (request, response) => tenants.nodeHandler(String(request.headers["tenant"]), request, response),
    async ({ send }) => {
      const list = async (tenant: string) =>
        JSON.parse(String((await send("GET", "/api/0/buckets", undefined, { tenant })).body));
      assert.equal(Object.keys(await list("ann")), ["b"]);
      assert.equal(await list("bob"), {});
    },
  );
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(BUCKET) };
  assert.is((await tenants.fetch("bob", "/api/0/buckets/b", init)).status, 200);
  assert.is(await tenants.use("bob", async (server) => (await server.buckets.list()).length), 1);
  assert.equal(notes, ["open ann", "open bob"]);
  assert.is(tenants.size, 2);
  await tenants.close();
  assert.equal(notes.sort(), ["close ann", "close bob", "open ann", "open bob"]);
});

test("above the maximum, the least recently used tenants close, and open again with their data", async () => {
  const { tenants, notes } = house({ max: 2 });
  await tenants.use("a", (server) => server.buckets.create("kept", BUCKET));
  for (const id of ["b", "a", "c", "a", "b", "c", "d"]) {
    const server = await tenants.get(id);
    assert.ok(Array.isArray(await server.buckets.list()), "a server stays open until its first call");
    await until(() => tenants.size <= 2, "closing");
  }
  assert.is((await (await tenants.get("a")).buckets.list()).length, 1);
  const opened = notes.filter((note) => note.startsWith("open"));
  assert.equal(
    opened,
    ["a", "b", "c", "b", "c", "d", "a"].map((id) => `open ${id}`),
  );
  await tenants.close();
  assert.is(notes.length, 2 * opened.length);
});

/** Ways to use a tenant until a signal. */
const USES: Readonly<
  Record<string, (tenants: Tenants, started: () => void, until: Promise<void>) => Promise<unknown>>
> = {
  "work of use()": (tenants, started, until) =>
    tenants.use("a", async () => {
      started();
      await until;
    }),
  "a response that is read slowly": async (tenants, started, until) => {
    const reader = (await tenants.fetch("a", "/api/0/export")).body?.getReader();
    await reader?.read();
    started();
    await until;
    while (!(await reader?.read())?.done);
  },
  "a call in process that is read slowly": async (tenants, started, until) => {
    for await (const _ of (await tenants.get("a")).export()) {
      started();
      await until;
    }
  },
};

for (const [name, use] of Object.entries(USES)) {
  test(`${name} keeps a tenant open, above the maximum and after any time`, async () => {
    const { tenants, notes } = house({ max: 1, idleMillis: 1 });
    // The timers of tenants do not keep the process.
    const keeping = setInterval(() => {}, 1_000);
    await tenants.use("a", async (server) => {
      await server.buckets.create("b", BUCKET);
      await server.events.insert("b", MANY);
    });
    const [started, until] = [signal(), signal()];
    const using = use(tenants, started.give, until.given);
    await started.given;
    notes.length = 0;
    // Each of these closes once it is idle, which closes all that are.
    for (const id of ["b", "c"]) {
      const closed = signal();
      (await tenants.get(id)).on("close", closed.give);
      await closed.given;
    }
    assert.equal(notes, ["open b", "close b", "open c", "close c"]);
    const closed = signal();
    (await tenants.get("a")).on("close", closed.give);
    until.give();
    await using;
    await closed.given;
    assert.equal(notes, ["open b", "close b", "open c", "close c", "close a"]);
    await tenants.close();
    clearInterval(keeping);
  });
}

test("a tenant that is being closed opens again when it is closed", async () => {
  const [started, until] = [signal(), signal()];
  const closing = (): Promise<void> => {
    started.give();
    return until.given;
  };
  const { tenants, notes } = house({ max: 1, closing });
  await tenants.use("a", (server) => server.buckets.create("b", BUCKET));
  await tenants.get("b");
  await started.given;
  const asked = Promise.all([tenants.get("a"), tenants.fetch("a", "/api/0/buckets")]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(notes, ["open a", "open b"]);
  until.give();
  const [server, response] = await asked;
  assert.equal(notes.slice(0, 4), ["open a", "open b", "close a", "open a"]);
  assert.equal(Object.keys((await response.json()) as object), ["b"]);
  assert.is((await server.buckets.list()).length, 1);
  await tenants.close();
});

test("an error of open reaches each caller, and the next use opens again", async () => {
  let failure: unknown = new Error("no database");
  const { tenants, errors } = house({
    open: async () => {
      if (failure !== undefined) throw failure;
      return { storage: memory() };
    },
  });
  assert.equal(await Promise.all([codeOf(tenants.get("a")), codeOf(tenants.use("a", () => 1))]), [failure, failure]);
  assert.equal(errors, []);
  assert.is((await tenants.fetch("a", "/api/0/info")).status, 500);
  assert.equal(errors.splice(0), [failure]);
  failure = new ActivityError("FORBIDDEN", "this account is closed");
  await onPort(
    (request, response) => tenants.nodeHandler("a", request, response),
    async ({ send }) => {
      const { status, body } = await send("GET", "/api/0/info");
      assert.is(status, 403);
      assert.match(String(body), "this account is closed");
      failure = undefined;
      assert.is((await send("GET", "/api/0/info")).status, 200);
    },
  );
  assert.is((await tenants.get("a")) === undefined, false);
  assert.equal(errors, []);
  await tenants.close();
});

test("options of open that cannot work reach the caller as well", async () => {
  const { tenants } = house({ open: () => ({ storage: memory(), trashdays: 1 }) as ActivityServerOptions });
  assert.match(String(await codeOf(tenants.get("a"))), "unknown option trashdays");
  await tenants.close();
});

test("IDs that lead elsewhere are refused before anything is opened", async () => {
  const { tenants, notes } = house();
  const refused = ["", ".", "..", "a/b", "a\\b", "a\0", "a\n", "\ud800", "a".repeat(201), 5, undefined, ["a"]];
  for (const id of refused) {
    assert.is(await codeOf(tenants.get(id as string)), "INVALID_INPUT", JSON.stringify(id));
    assert.is((await tenants.fetch(id as string, "/api/0/info")).status, 400, JSON.stringify(id));
  }
  assert.equal(notes, []);
  for (const id of ["ann@example.org", "auth0|5f", "User 5", "...", "Jörg", "a".repeat(200)]) await tenants.get(id);
  assert.is(notes.length, 6);
  await tenants.close();
});

test("each goes through the open tenants, or through given ones", async () => {
  const { tenants, notes } = house({ max: 2 });
  for (const id of ["a", "b", "c"]) {
    await tenants.get(id);
    await until(() => tenants.size <= 2, "closing");
  }
  const seen: string[] = [];
  await tenants.each(async (server, id) => {
    await server.buckets.create(id, BUCKET);
    seen.push(id);
  });
  assert.equal(seen.splice(0), ["b", "c"]);
  const ids = (async function* () {
    yield* ["a", "b", "c"];
  })();
  await tenants.each(async (server, id) => {
    seen.push(`${id}: ${(await server.buckets.list()).map((bucket) => bucket.id)}`);
  }, ids);
  assert.equal(seen, ["a: ", "b: b", "c: c"]);
  await until(() => tenants.size <= 2, "closing");
  const failure = new Error("no");
  assert.is(await codeOf(tenants.each(() => Promise.reject(failure))), failure);
  notes.length = 0;
  await tenants.close();
  assert.is(notes.length, 2);
});

test("a closed house refuses every use, closes what was being opened, and its close() waits", async () => {
  const opening = signal();
  const { tenants, notes } = house({
    open: async () => {
      await opening.given;
      const kept = memory();
      return { storage: { ...kept, close: async () => void notes.push("closed") } };
    },
  });
  const asked = tenants.get("a");
  const closing = Promise.all([tenants.close(), tenants[Symbol.asyncDispose]()]);
  assert.is(await codeOf(tenants.get("a")), "STORAGE_CLOSED");
  assert.is((await tenants.fetch("b", "/api/0/info")).status, 503);
  opening.give();
  await asked;
  await closing;
  assert.equal(notes, ["closed"]);
  assert.is(tenants.size, 0);
});

test("options that cannot work are refused", () => {
  const open = (): ActivityServerOptions => ({ storage: memory() });
  const refused = [
    {},
    { open: 1 },
    { open, max: 0 },
    { open, max: 1.5 },
    { open, idleMillis: 0 },
    { open, idleMillis: "1" },
  ];
  for (const options of refused) {
    assert.throws(() => createTenants(options as unknown as TenantsOptions), /must be/, JSON.stringify(options));
  }
});

test.run();
