// Making, listing, using and revoking keys.
import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, type Storage } from "../../src/index.js";
import { Keys } from "../../src/service/access/keys.js";
import { TrustedClock } from "../../src/service/trusted-clock.js";
import { checkedFetch } from "../api/answer-check.js";
import { sendJson } from "../api/sending.js";
import { recordingLogger, withServer, withTestServer } from "../harness.js";
import { withRecords } from "../overridden-records.js";
import { refusalOf } from "../refusals.js";
import { proved } from "./proofs.js";
import { type AccessScene, bearer, inScene, MINUTE, START, withTimeAhead } from "./scene.js";
import { foreignSessions, guarded, type Setting, withoutPace } from "./servers.js";

const test = suite("keys");

const HOUR = 60 * MINUTE;

test("a key is 256 random bits, told once, and kept as its hash", () =>
  inScene(async ({ server, storage }) => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) => server.keys.add({ name: `k${n}`, scopes: ["read:*"] })),
    );
    assert.is(new Set(made.map(({ key }) => key)).size, 50);
    const [first] = made;
    assert.match(first?.key ?? "", /^as_[A-Za-z0-9_-]{43}$/);
    const { key, ...info } = first as (typeof made)[number];
    assert.equal((await server.keys.list())[0], info);
    const records = await storage.records("keys").list();
    const hash = createHash("sha256").update(key).digest("hex");
    assert.equal(records.get("k0"), {
      ...{ hash, scopes: ["read:*"], created: START * 1000, expires: null, origin: null, revoked: null },
    });
    let everything = "";
    for await (const item of storage.backup()) everything += JSON.stringify(item);
    assert.ok(everything.includes(hash));
    for (const each of made) assert.not(everything.includes(each.key));
  }));

test("a key opens until it expires, by the clock of the server", () =>
  inScene(async ({ server, statusWith, advance }) => {
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"], expires: new Date(START + HOUR) });
    assert.is(await statusWith(key), 200);
    advance(HOUR - 1);
    assert.is(await statusWith(key), 200);
    advance(1);
    assert.is(await statusWith(key), 401);
    // What has expired does not come back with the clock.
    advance(-1);
    assert.is(await statusWith(key), 401);
  }));

test("a revoked key stops at once, and its name is free again", () =>
  inScene(async ({ server, statusWith, advance }) => {
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is(await statusWith(key), 200);
    assert.match(
      await refusalOf(server.keys.add({ name: "a", scopes: ["admin"] })),
      /INVALID_INPUT: name 'a' is the name of/,
    );
    advance(HOUR);
    await server.keys.revoke("a");
    assert.is(await statusWith(key), 401);
    await server.keys.revoke("a");
    assert.equal(
      (await server.keys.list()).map(({ name, revoked }) => [name, revoked]),
      [["a", (START + HOUR) * 1000]],
    );
    const again = await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.equal([await statusWith(key), await statusWith(again.key)], [401, 200]);
    const [listed] = await server.keys.list();
    assert.equal([listed?.revoked, listed?.created], [null, (START + HOUR) * 1000]);
    assert.is(await refusalOf(server.keys.revoke("b")), "NO_SUCH_KEY: no key is named 'b'");
  }));

test("a key that was right a moment ago is looked at again: its end, its origin, its spelling", () =>
  inScene(
    async ({ server, statusWith, advance }) => {
      const origin = "https://a.example";
      const { key: bound } = await server.keys.add({ name: "bound", scopes: ["read:*"], origin });
      const expires = new Date(START + 1000);
      const { key: brief } = await server.keys.add({ name: "brief", scopes: ["read:*"], expires });
      const { key: revoked } = await server.keys.add({ name: "revoked", scopes: ["read:*"] });
      for (let time = 0; time < 3; time++) {
        for (const key of [bound, brief, revoked]) assert.is(await statusWith(key), 200);
        assert.is(await statusWith(bound, { origin: "https://b.example" }), 401);
        for (const odd of [` ${brief}`, `${brief},`, brief.slice(0, -1)]) assert.is(await statusWith(odd), 401);
      }
      advance(1000);
      await server.keys.revoke("revoked");
      assert.equal([await statusWith(bound), await statusWith(brief), await statusWith(revoked)], [200, 401, 401]);
    },
    { auth: "required", cors: ["https://b.example"] },
  ));

test("of several with one name at the same time one is made", () =>
  inScene(async ({ server }) => {
    const tries = Array.from({ length: 20 }, () => server.keys.add({ name: "a", scopes: ["read:*"] }));
    const made = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
    assert.is(made.length, 1);
  }));

test("a key that is bound to an origin lets pages of it in with that key alone", () =>
  inScene(async ({ server, statusWith, advance }) => {
    const origin = "https://a.example";
    const preflight = async (from: string) => {
      const headers = { origin: from, "access-control-request-method": "GET" };
      return (await checkedFetch("/api/0/buckets", { method: "OPTIONS", headers }, server.fetch)).status;
    };
    assert.is(await preflight(origin), 403);
    const expires = new Date(START + HOUR);
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"], origin, expires });
    const other = await server.keys.add({ name: "b", scopes: ["admin"] });
    const foreign = await server.keys.add({ name: "c", scopes: ["admin"], origin: "https://c.example" });
    assert.equal([await preflight(origin), await preflight("https://b.example")], [204, 403]);
    assert.is(await statusWith(key, { origin }), 200);
    for (const wrong of [undefined, other.key, foreign.key, `${key}x`]) {
      assert.is(await statusWith(wrong, { origin }), 403, wrong);
    }
    assert.is(await statusWith(key, { origin: "https://b.example" }), 403);
    // Not even what is open to everybody.
    const info = (headers: Record<string, string>) => checkedFetch("/api/0/info", { headers }, server.fetch);
    assert.is((await info({ origin })).status, 403);
    const answer = await info({ origin, authorization: `Bearer ${key}` });
    assert.equal([answer.status, answer.headers.get("access-control-allow-origin")], [200, origin]);
    const denied = { origin, authorization: `Bearer ${key}` };
    const settings = await checkedFetch("/api/0/settings", { headers: denied }, server.fetch);
    assert.equal([settings.status, settings.headers.get("access-control-allow-origin")], [403, origin]);
    advance(HOUR);
    assert.equal([await preflight(origin), await statusWith(key, { origin })], [403, 403]);
    const again = await server.keys.add({ name: "d", scopes: ["read:*"], origin });
    assert.is(await statusWith(again.key, { origin }), 200);
    await server.keys.revoke("d");
    assert.equal([await preflight(origin), await statusWith(again.key, { origin })], [403, 403]);
  }));

test("the end of the last key opens nothing", async () => {
  const storage = memory();
  await withServer({ door: "process", storage }, async ({ server }) => {
    const { key } = await server.keys.add({ name: "a", scopes: ["admin"] });
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
    const ask = async (headers = {}, on: ActivityServer = server) =>
      (await sendJson(on, "PUT", "/api/0/buckets/b/access", { access: "open" }, headers)).status;
    assert.equal([await ask(), await ask(bearer(key))], [401, 200]);
    await server.keys.revoke("a");
    assert.equal([await ask(), await ask(bearer(key))], [401, 401]);
    // Nor does the next start.
    assert.is(await ask({}, createActivityServer({ storage })), 401);
  });
});

test("the name of a key may have spaces, also where it is revoked", () =>
  inScene(async ({ server }) => {
    await server.keys.add({ name: "Wall display 2", scopes: ["read:*"] });
    const headers = { authorization: `Bearer ${(await server.keys.add({ name: "owner", scopes: ["admin"] })).key}` };
    const path = "/api/0/keys/Wall%20display%202";
    assert.is((await server.fetch(path, { method: "DELETE", headers })).status, 200);
    assert.ok((await server.keys.list()).find(({ name }) => name === "Wall display 2")?.revoked);
  }));

test("what describes no key is refused with the field", () =>
  inScene(async ({ server }) => {
    const scopes = ["admin"] as const;
    const cases: readonly (readonly [given: Parameters<typeof server.keys.add>[0], message: RegExp])[] = [
      [{ name: "a", scopes: ["raed:*" as "admin"] }, /scopes\[0\] must be/],
      [{ name: "a", scopes: [] }, /scopes must be/],
      [{ name: "", scopes }, /name must be/],
      [{ name: "a ", scopes }, /name must be/],
      [{ name: " a", scopes }, /name must be/],
      [{ name: "a\nb", scopes }, /name must be/],
      [{ name: "x".repeat(65), scopes }, /name must be /],
      [{ name: "a", scopes, expires: new Date("2020-01-01") }, /expires must/],
      [{ name: "a", scopes, origin: "a.example" }, /origin must be/],
      [{ name: "a", scopes, origin: "https://a.example/b" }, /origin must be /],
    ];
    for (const [given, message] of cases) assert.match(await refusalOf(server.keys.add(given)), message);
    assert.equal(await server.keys.list(), []);
  }));

for (const setting of ["keys, optional", "keys, required", "api key"] as const satisfies readonly Setting[]) {
  test(`who may not make or revoke keys learns of none whether it is there: ${setting}`, () =>
    withoutPace(async () => {
      const { server, keys, writes, ...rest } = await guarded(setting);
      const sessions = await foreignSessions({ server, keys, writes, ...rest });
      const { admin, phone, ...others } = keys;
      const callers = Object.entries({
        ...{ "no key": {}, unknown: { authorization: `Bearer as_${"A".repeat(43)}` }, ...sessions },
        ...Object.fromEntries(
          Object.entries({ phone, ...others }).map(([name, key]) => [name, { authorization: key }]),
        ),
      });
      assert.ok(callers.length > 15, String(callers.length));
      const send = (method: string, path: string, headers: object, body?: object): Promise<Response> => {
        const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        const request = new Request(`http://localhost:5600/api/0/keys${path}`, init);
        for (const [name, given] of Object.entries(proved(headers, method, `/api/0/keys${path}`, rest.now(), ""))) {
          for (const value of [given].flat()) request.headers.append(name, value);
        }
        return server.fetch(request);
      };
      const told = async (answer: Response) => ({
        ...{ status: answer.status, headers: [...answer.headers], text: await answer.text() },
      });
      const make = (name: string) => ({ name, scopes: ["read:x"] });
      const before = writes();
      for (const [name, headers] of callers) {
        const there = await told(await send("DELETE", "/phone", headers));
        assert.ok(there.status === 401 || there.status === 403, `${name}: ${there.status} ${there.text}`);
        for (const path of ["/nobody", "/gone"]) {
          assert.equal(await told(await send("DELETE", path, headers)), there, name);
        }
        const taken = await told(await send("POST", "", headers, make("phone")));
        assert.equal(await told(await send("POST", "", headers, make("nobody"))), taken, name);
        assert.is(taken.status, there.status, name);
      }
      assert.is(writes(), before);
      const owner = { authorization: admin };
      assert.equal(
        [
          (await send("DELETE", "/phone", owner)).status,
          (await send("DELETE", "/nobody", owner)).status,
          (await send("POST", "", owner, make("read"))).status,
        ],
        [200, 404, 400],
      );
      await server.close();
    }));
}

test("the last use is written once a minute, not with each request", () => {
  let writes = 0;
  const storage = withRecords(memory(), ["key-uses"], ({ compareAndSet }) => ({
    compareAndSet(...given) {
      writes++;
      return compareAndSet(...given);
    },
  }));
  const body = async ({ server, statusWith, advance }: AccessScene): Promise<void> => {
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is((await server.keys.list())[0]?.lastUsed, null);
    for (let second = 0; second < 60; second++) {
      assert.is(await statusWith(key), 200);
      advance(1000);
    }
    assert.is(writes, 1);
    assert.is((await server.keys.list())[0]?.lastUsed, (START + 59_000) * 1000);
    assert.is(await statusWith(key), 200);
    assert.is(writes, 2);
    // Another server knows what was written.
    const clock = () => START;
    const times = new TrustedClock({ storage, clock, logger: console });
    const other = new Keys({ storage, clock, times, logger: console });
    assert.is((await other.list())[0]?.lastUsed, (START + 60_000) * 1000);
  };
  return inScene(body, { auth: "required", storage });
});

test("a use of a key that had the name before is not that of the new one", () =>
  inScene(async ({ server, statusWith }) => {
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is(await statusWith(key), 200);
    await server.keys.revoke("a");
    await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is((await server.keys.list())[0]?.lastUsed, null);
  }));

test("a use that cannot be written is logged, and the request is served", async () => {
  const storage = withRecords(memory(), ["key-uses"], () => ({
    compareAndSet: () => Promise.reject(new Error("no space")),
  }));
  const { logger, warnings } = recordingLogger();
  const server = createActivityServer({ storage, logger });
  const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
  const answer = await server.fetch("/api/0/buckets", { headers: bearer(key) });
  assert.is(answer.status, 200);
  await server.close();
  assert.equal(warnings, ["cannot store the last use of key 'a': no space"]);
});

test("records that are no keys open nothing, and are left out", async () => {
  const storage = memory();
  const hash = createHash("sha256")
    .update(`as_${"A".repeat(43)}`)
    .digest("hex");
  const whole = { hash, scopes: ["admin"], created: 1, expires: null, origin: null, revoked: null };
  const wrong = [null, 1, "text", [], {}, { ...whole, scopes: ["later:*"] }, { ...whole, scopes: "admin" }];
  for (const [index, record] of [...wrong, { ...whole, expires: "never" }, { ...whole, hash: 5 }].entries()) {
    await storage.records("keys").compareAndSet(`k${index}`, undefined, record as never);
  }
  await withServer({ door: "process", storage, auth: "required" }, async ({ server }) => {
    const ask = () => server.fetch("/api/0/buckets", { headers: { authorization: `Bearer as_${"A".repeat(43)}` } });
    assert.is((await ask()).status, 401);
    assert.equal(await server.keys.list(), []);
    await server.keys.add({ name: "k0", scopes: ["read:*"] });
  });
});

test("keys that cannot be read let nobody in", async () => {
  const storage = Object.assign(memory(), {
    records: () => ({
      list: () => Promise.reject(Object.assign(new Error("disk"), { name: "ActivityError", code: "STORAGE_FAILED" })),
    }),
  }) as unknown as Storage;
  const { logger, errors } = recordingLogger();
  for (const auth of ["optional", "required"] as const) {
    const server = createActivityServer({ storage, auth, logger });
    const answer = await server.fetch("/api/0/buckets", { headers: { authorization: `Bearer as_${"A".repeat(43)}` } });
    assert.is(answer.status, 503, auth);
  }
  assert.is(errors.length, 2);
  // What operators have is in no record.
  for (const secret of [{ apiKey: "the secret" }, { controlToken: "the secret" }]) {
    const server = createActivityServer({ storage, logger, auth: "required", ...secret });
    const answer = await server.fetch("/api/0/buckets", { headers: { authorization: "Bearer the secret" } });
    assert.is(answer.status, 200);
  }
});

test("a reading of keys that began before a revocation does not bring the key back", async () => {
  let release: (() => void) | undefined;
  let isHeld = false;
  const storage = withRecords(memory(), ["keys"], (store) => ({
    async list() {
      const read = new Map(await store.list());
      if (isHeld) await new Promise<void>((resolve) => (release = resolve));
      return read;
    },
  }));
  const body = async ({ server, statusWith }: AccessScene) => {
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is(await statusWith(key), 200);
    isHeld = true;
    await withTimeAhead(async (advance) => {
      advance(2000);
      assert.is(await statusWith(key), 200);
      await new Promise((resolve) => setImmediate(resolve));
      assert.type(release, "function");
      await server.keys.revoke("a");
      isHeld = false;
      release?.();
      await new Promise((resolve) => setImmediate(resolve));
      assert.is(await statusWith(key), 401);
    });
  };
  await inScene(body, { auth: "required", storage });
});

test("a test server forgets keys and protection with the rest", () =>
  withTestServer({}, async (server) => {
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
    await server.buckets.setAccess("b", "read-only");
    const { key } = await server.keys.add({ name: "a", scopes: ["read:*"] });
    const ask = async () => (await server.fetch("/api/0/buckets", { headers: bearer(key) })).status;
    assert.is(await ask(), 200);
    await server.reset();
    assert.equal(await server.keys.list(), []);
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
    assert.is(await server.buckets.getAccess("b"), "open");
    // There are no keys, so the header means nothing.
    assert.is(await ask(), 200);
    await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is(await ask(), 401);
  }));

test.run();
