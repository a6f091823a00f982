// Which buckets browser extensions may write; docs/reference/compatibility.md#origins
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, type Headers, type Send, type ServedOptions, withServer } from "../harness.js";
import { words } from "../words.js";
import { event, json, refusal } from "./client.js";

const test = suite("buckets that browser extensions may write");

const MOZILLA = "moz-extension://0b2f7c6e-8a4e-4d7e-9a44-4c8f3c2b1a00";
const STORE = "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi";
const UNKNOWN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";

const WEB = "/api/0/buckets/aw-watcher-web-firefox_desk";
const OTHERS = words`aw-watcher-window_desk AW-watcher-web-x xaw-watcher-web-x aw-watcher-web b%2Faw-watcher-web-`;

/** Creates a bucket and sends a heartbeat. @returns both statuses */
async function report(send: Send, path: string, headers: Headers): Promise<number[]> {
  const created = await send("POST", path, BUCKET, headers);
  const beat = await send("POST", `${path}/heartbeat?pulsetime=9`, event(0), headers);
  return [created.status, beat.status];
}

function withWindow(options: ServedOptions, body: Parameters<typeof withServer>[1]): Promise<void> {
  return withServer(options, async (served) => {
    await served.server.buckets.create("aw-watcher-window_desk", BUCKET);
    await body(served);
  });
}

test("an extension may write only buckets of browsers", () =>
  withWindow({}, async ({ send, server }) => {
    for (const origin of [MOZILLA, STORE]) {
      assert.equal(await report(send, WEB, { origin }), [origin === MOZILLA ? 200 : 304, 200]);
      assert.equal(await report(send, "/api/0/buckets/%61w-watcher-web-x", { origin }), [
        origin === MOZILLA ? 200 : 304,
        200,
      ]);
      for (const id of OTHERS) {
        assert.equal(await report(send, `/api/0/buckets/${id}`, { origin }), [403, 403], id);
      }
      const refused = await send("POST", "/api/0/buckets/b", BUCKET, { origin });
      assert.match(refusal(refused, 403), /only for buckets whose ID begins with aw-watcher-web-/);
      assert.is(refused.headers["access-control-allow-origin"], origin);
      json(await send("GET", "/api/0/info", undefined, { origin }));
    }
    const buckets = await server.buckets.list();
    assert.is(buckets.length, 3);
    assert.is(await server.events.count("aw-watcher-window_desk"), 0);
  }));

test("in testing mode any extension of Chrome may, with the same limit", () =>
  withWindow({ testing: true }, async ({ send }) => {
    assert.equal(await report(send, WEB, { origin: UNKNOWN }), [200, 200]);
    assert.equal(await report(send, "/api/0/buckets/b", { origin: UNKNOWN }), [403, 403]);
  }));

test("an origin that the configuration trusts may write all", async () => {
  for (const options of [{ cors: [MOZILLA] }, { corsRegex: ["moz-extension://.*"] }, { cors: ["*"] }]) {
    await withWindow(options, async ({ send }) => {
      assert.equal(await report(send, "/api/0/buckets/b", { origin: MOZILLA }), [200, 200]);
    });
  }
});

test("an origin that the owner trusts may write all: by a decision, or by a key for it", () =>
  withWindow({}, async ({ send, server }) => {
    for (const origin of [MOZILLA, UNKNOWN]) {
      assert.equal(await report(send, `/api/0/buckets/b${origin.length}`, { origin }), [403, 403]);
      await server.extensions.allow(origin);
      assert.equal(await report(send, `/api/0/buckets/b${origin.length}`, { origin }), [200, 200]);
      await server.extensions.forget(origin);
      assert.equal(await report(send, `/api/0/buckets/b${origin.length}`, { origin }), [403, 403]);
    }
    const { key: unbound } = await server.keys.add({ name: "unbound", scopes: ["write:*", "append:*"] });
    const { key: bound } = await server.keys.add({ name: "bound", scopes: ["append:*"], origin: MOZILLA });
    const headersOf = (key: string) => ({ origin: MOZILLA, authorization: `Bearer ${key}` });
    assert.equal(await report(send, "/api/0/buckets/c", headersOf(unbound)), [403, 403]);
    assert.equal(await report(send, "/api/0/buckets/c", headersOf(bound)), [200, 200]);
  }));

test("without the key that is needed it is 401, as for every bucket", () =>
  withWindow({ apiKey: "secret-123" }, async ({ send }) => {
    assert.equal(await report(send, "/api/0/buckets/b", { origin: MOZILLA }), [401, 401]);
    const headers = { origin: MOZILLA, authorization: "Bearer secret-123" };
    assert.equal(await report(send, "/api/0/buckets/b", headers), [403, 403]);
    assert.equal(await report(send, WEB, headers), [200, 200]);
  }));

test.run();
