// Buckets that are append-only or read-only, for everybody who may write them, by every way to write.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { form } from "../hosts/forms.js";
import { codeOf } from "../refusals.js";
import { RECORD } from "./servers.js";

const test = suite("protected buckets");

const ID = "diary";
const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: 5, data: { a: 1 } };

type Ask = (method: string, path: string, body?: unknown, key?: string) => Promise<{ status: number; text: string }>;

async function withRecord(
  options: { readonly apiKey?: string },
  body: (ask: Ask, server: ActivityServer) => Promise<void>,
): Promise<void> {
  await withServer({ door: "process", testing: true, ...options }, async ({ server }) => {
    await server.buckets.create(ID, RECORD);
    await server.events.insert(ID, [EVENT, { ...EVENT, timestamp: "2024-03-01T11:00:00Z" }].map(wired));
    const ask: Ask = async (method, path, content, key) => {
      const isForm = typeof content === "string";
      const headers: Record<string, string> = isForm ? form(content).headers : { "content-type": "application/json" };
      if (key !== undefined) headers["authorization"] = `Bearer ${key}`;
      const text = isForm ? form(content).body : JSON.stringify(content);
      const init = { method, headers, ...(content === undefined ? {} : { body: text }) };
      const answer = await checkedFetch(path, init, server.fetch);
      return { status: answer.status, text: await answer.text() };
    };
    await body(ask, server);
  });
}

function wired({ timestamp, data }: typeof EVENT) {
  return { timestamp, duration: "5s" as const, data };
}

const PATH = `/api/0/buckets/${ID}`;
const IMPORT = { buckets: { [ID]: { ...RECORD, events: [{ ...EVENT, timestamp: "2024-03-01T07:00:00Z" }] } } };
const PAIR = { buckets: { another: { ...RECORD, events: [] }, ...IMPORT.buckets } };

/** Every way to write to a bucket, and whether it only adds. */
const WRITES: readonly (readonly [adds: boolean, method: string, path: string, body?: unknown])[] = [
  [true, "POST", `${PATH}/heartbeat?pulsetime=5`, { ...EVENT, timestamp: "2024-03-01T11:00:07Z" }],
  [true, "POST", `${PATH}/heartbeat?pulsetime=5`, { ...EVENT, data: { b: 1 } }],
  [true, "POST", `${PATH}/events`, EVENT],
  [true, "POST", `${PATH}/events`, [EVENT, EVENT]],
  [true, "POST", "/api/0/import", IMPORT],
  [true, "POST", "/api/0/import", JSON.stringify(IMPORT)],
  [true, "POST", "/api/0/import", PAIR],
  [false, "POST", `${PATH}/events`, { ...EVENT, id: 1 }],
  [false, "POST", `${PATH}/events`, [EVENT, { ...EVENT, id: 77 }]],
  [false, "DELETE", `${PATH}/events/1`],
  [false, "DELETE", `${PATH}/events/77`],
  [false, "PUT", PATH, { name: "n" }],
  [false, "DELETE", `${PATH}?force=1`],
];

async function stateOf(server: ActivityServer): Promise<string> {
  let text = "";
  for await (const piece of server.export()) text += piece;
  return text;
}

for (const access of ["append-only", "read-only"] as const) {
  test(`${access}: what is refused changes nothing, and reads go on`, () =>
    withRecord({}, async (ask, server) => {
      for (const [adds, method, path, body] of WRITES) {
        await server.buckets.setAccess(ID, access);
        const before = await stateOf(server);
        const { status, text } = await ask(method, path, body);
        if (adds && access === "append-only") {
          assert.is(status, 200, `${method} ${path} ${text}`);
          continue;
        }
        assert.is(status, 403, `${method} ${path} ${text}`);
        assert.is(JSON.parse(text).message, `bucket 'diary' is ${access}; an operator can change its access to open`);
        assert.is(await stateOf(server), before, `${method} ${path}`);
      }
      assert.is((await ask("GET", `${PATH}/events`)).status, 200);
      assert.is((await ask("POST", PATH, RECORD)).status, 304);
      assert.equal(JSON.parse((await ask("GET", `${PATH}/access`)).text), { access });
      await server.buckets.setAccess(ID, "open");
      for (const [, method, path, body] of WRITES) {
        assert.is((await ask(method, path, body)).status, 200, `${method} ${path}`);
      }
    }));
}

test("a heartbeat extends the newest event of an append-only bucket, and changes no other", () =>
  withRecord({}, async (ask, server) => {
    const before = await server.events.read(ID).toArray();
    await ask("PUT", `${PATH}/access`, { access: "append-only" });
    await ask("POST", `${PATH}/heartbeat?pulsetime=5`, { ...EVENT, timestamp: "2024-03-01T11:00:07Z", duration: 0 });
    const after = await server.events.read(ID).toArray();
    assert.equal(after, [{ ...before[0], duration: 7_000_000 }, before[1]]);
  }));

test("with keys only an admin key opens what is protected, and is not bound by it", () =>
  withRecord({ apiKey: "owner" }, async (ask, server) => {
    const { key: writer } = await server.keys.add({ name: "writer", scopes: ["write:*"] });
    const { key: admin } = await server.keys.add({ name: "admin", scopes: ["admin"] });
    assert.is((await ask("PUT", `${PATH}/access`, { access: "read-only" }, writer)).status, 403);
    for (const key of [admin, "owner"]) {
      assert.is((await ask("PUT", `${PATH}/access`, { access: "read-only" }, key)).status, 200);
      assert.is((await ask("PUT", `${PATH}/access`, { access: "open" }, writer)).status, 403);
      assert.is((await ask("PUT", PATH, { name: "n" }, writer)).status, 403);
      assert.is((await ask("DELETE", `${PATH}/events/1`, undefined, writer)).status, 403);
      assert.is((await ask("PUT", PATH, { name: "n" }, key)).status, 200);
      assert.is((await ask("DELETE", `${PATH}/events/1`, undefined, key)).status, 200);
      assert.is((await ask("POST", "/api/0/import", IMPORT, key)).status, 200);
      assert.equal(JSON.parse((await ask("GET", `${PATH}/access`, undefined, writer)).text), { access: "read-only" });
    }
  }));

test("where a key was added, somebody without one cannot change the access any more", () =>
  withRecord({}, async (ask, server) => {
    assert.is((await ask("PUT", `${PATH}/access`, { access: "read-only" })).status, 200);
    await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is((await ask("PUT", `${PATH}/access`, { access: "open" })).status, 401);
    assert.is((await ask("DELETE", `${PATH}?force=1`)).status, 403);
    // Nor can anybody when the key has ended.
    await server.keys.revoke("a");
    assert.is((await ask("PUT", `${PATH}/access`, { access: "open" })).status, 401);
    await server.buckets.setAccess(ID, "open");
    assert.is((await ask("DELETE", `${PATH}?force=1`)).status, 200);
  }));

test("the program itself is not bound, neither by methods nor by connect()", () =>
  withRecord({}, async (_ask, server) => {
    await server.buckets.setAccess(ID, "read-only");
    await server.heartbeat(ID, wired(EVENT), "5s");
    await server.events.insert(ID, { ...wired(EVENT), id: 1 });
    await server.events.delete(ID, 2);
    await server.buckets.update(ID, { name: "mine" });
    await server.import(IMPORT);
    const client = connect(server);
    assert.is(await client.buckets.getAccess(ID), "read-only");
    await client.heartbeat(ID, EVENT, 5);
    await client.buckets.setAccess(ID, "append-only");
    assert.is(await server.buckets.getAccess(ID), "append-only");
    await client.buckets.update(ID, { name: "mine" });
    assert.is(await codeOf(server.buckets.setAccess("none", "open")), "NO_SUCH_BUCKET");
  }));

test("a bucket that was deleted and made anew is open", () =>
  withRecord({}, async (ask, server) => {
    await server.buckets.setAccess(ID, "read-only");
    await server.buckets.delete(ID);
    await server.buckets.create(ID, RECORD);
    assert.is(await server.buckets.getAccess(ID), "open");
    assert.is((await ask("POST", `${PATH}/events`, EVENT)).status, 200);
  }));

test("records of buckets have no field for it, and it survives another server over the same storage", async () => {
  const storage = memory();
  await withServer({ door: "process", storage }, async ({ server: first }) => {
    await first.buckets.create(ID, RECORD);
    const before = await (await first.fetch(PATH)).text();
    await first.buckets.setAccess(ID, "read-only");
    assert.is(await (await first.fetch(PATH)).text(), before);
    assert.not(JSON.stringify(await (await first.fetch("/api/0/export")).json()).includes("read-only"));
    const second = createActivityServer({ storage });
    const beats = [1, 2, 3].map((minute) => {
      const beat = { ...EVENT, timestamp: `2024-03-01T12:0${minute}:00Z` };
      return sendJson(second, "POST", `${PATH}/heartbeat?pulsetime=5`, beat);
    });
    // The first ones come before the access of buckets was read.
    assert.equal(
      (await Promise.all(beats)).map(({ status }) => status),
      [403, 403, 403],
    );
  });
});

test.run();
