// A bucket is created while another server of the same data redirects its ID: none is left where a redirect begins.
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { type ActivityServer, createActivityServer, type Storage } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { atEachCall, Interposed } from "../care/interposed.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";

const test = suite("buckets that are created meanwhile");

const EVENT = { timestamp: "2024-03-01T12:00:00Z", duration: { seconds: 5 } } as const;
const LATER = { timestamp: "2024-03-02T12:00:00Z", duration: { seconds: 5 } } as const;

/** Ways to create a bucket, and what they report of one that exists. */
const CREATIONS: Readonly<Record<string, (server: ActivityServer, id: string) => Promise<void>>> = {
  "in process": async (server, id) => assert.is(await server.buckets.create(id, BUCKET), false),
  "with events": async (server, id) => assert.is(await server.buckets.create(id, BUCKET, [LATER]), false),
  "over HTTP": async (server, id) =>
    assert.is((await sendJson(server, "POST", `/api/0/buckets/${id}`, BUCKET)).status, 304),
  "by an import": async (server, id) => {
    const record = { ...BUCKET, id, created: "2024-03-01T00:00:00Z", events: [] };
    assert.is((await sendJson(server, "POST", "/api/0/import", { buckets: { [id]: record } })).status, 200);
  },
};

/** Ways to redirect an ID, to the ID with `-new`. */
const REDIRECTIONS: Readonly<Record<string, (server: ActivityServer, id: string) => Promise<unknown>>> = {
  "a rename": (server, id) => server.identity.rename(id, { to: `${id}-new` }),
  "a rename of its host": (server, id) => {
    const host = id.slice(id.indexOf("_") + 1);
    return server.identity.renameHost(host, { to: `${host}-new`, renameBuckets: true });
  },
  "a merge": async (server, id) => {
    await server.buckets.create(`${id}-new`, BUCKET);
    await server.identity.merge(`${id}-new`, { from: [id] });
  },
};

for (const [redirection, redirect] of Object.entries(REDIRECTIONS)) {
  test(`a bucket that is created follows ${redirection}`, () =>
    onEach(async ({ storage, clock }) => {
      const inner = storage();
      // Another node where there may be one.
      const other = createActivityServer({ storage: inner.traits.multiProcess ? storage() : inner, clock });
      const interposed = new Interposed(inner);
      const server = createActivityServer({ storage: interposed.storage, clock });
      let count = 0;
      try {
        for (const [creation, create] of Object.entries(CREATIONS)) {
          await atEachCall(interposed, async (meanwhile) => {
            const host = `h${++count}`;
            const id = `w_${host}`;
            await other.buckets.create(id, { ...BUCKET, hostname: host }, [EVENT]);
            await meanwhile(
              () => create(server, id),
              () => redirect(other, id),
            );
            const found = (await other.buckets.list()).map((bucket) => bucket.id).filter((each) => each.startsWith(id));
            assert.equal(found, [`${id}-new`], creation);
            await server.events.insert(id, LATER);
            assert.is(await other.events.count(`${id}-new`), 2, creation);
          });
        }
      } finally {
        await server.close();
        await other.close();
      }
    }));
}

test("a bucket may be created where a redirect ended, and the redirect does not come back", () =>
  onEach(async ({ open, clock }) => {
    const server = open();
    await server.buckets.create("a", BUCKET, [EVENT]);
    await server.identity.rename("a", { to: "b", redirect: new Date(clock() + 60_000) });
    clock.advance("2m");
    assert.is(await server.buckets.create("a", BUCKET), true);
    clock.reset();
    assert.is(await server.events.count("a"), 0);
    assert.equal(await server.identity.redirects(), []);
  }));

/** Opens a server over these redirects, as a backup or another version may leave them. */
async function openOver(open: () => ActivityServer, storage: Storage, redirects: object): Promise<ActivityServer> {
  for (const [from, redirect] of Object.entries(redirects)) {
    await storage.records("redirects").compareAndSet(from, undefined, redirect);
  }
  return open();
}

test("a bucket may be created in a circle of redirects, which ends there", () =>
  onEach(async ({ open, storage }) => {
    const circle = Object.fromEntries(["ab", "bc", "ca"].map(([from, to]) => [from, { from, to, created: 0 }]));
    const server = await openOver(open, storage(), circle);
    assert.is((await sendJson(server, "POST", "/api/0/buckets/a", BUCKET)).status, 200);
    await server.events.insert("b", EVENT);
    assert.is(await server.events.count("a"), 1);
    assert.equal((await server.identity.redirects()).map(({ from }) => from).sort(), ["b", "c"]);
  }));

test("a redirect of another version is kept, and no bucket is created there", () =>
  onEach(async ({ open, storage }) => {
    const inner = storage();
    const unknown = { version: 2, target: "b" };
    const server = await openOver(open, inner, { a: unknown });
    assert.is((await sendJson(server, "POST", "/api/0/buckets/a", BUCKET)).status, 409);
    const record = { ...BUCKET, id: "a", events: [] };
    assert.is((await sendJson(server, "POST", "/api/0/import", { buckets: { a: record } })).status, 409);
    for (const { errors } of [OPERATION_LIST.createBucket, OPERATION_LIST.importBuckets]) {
      assert.ok(errors.includes("CONFLICT"), "a declared error");
    }
    assert.equal(await inner.records("redirects").get("a"), unknown);
    await server.identity.deleteRedirect("a");
    assert.is((await sendJson(server, "POST", "/api/0/buckets/a", BUCKET)).status, 200);
  }));

test("the grounds end", finish);

test.run();
