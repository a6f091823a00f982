import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, connect, createClient } from "../../src/client/index.js";
import { deny, veto } from "../../src/index.js";
import { createTestServer, type TestServer, type TestServerOptions } from "../../src/testing/index.js";
import { IN_PROCESS } from "../../src/util/in-process.js";
import { withTestServer } from "../harness.js";
import { failureOf, textOf } from "./failure-of.js";

const test = suite("client");

/** Serves during the body; every server starts in the same state, with the same IDs and the same clock. */
function withUrl(options: TestServerOptions, body: (server: TestServer, url: string) => Promise<void>): Promise<void> {
  return withTestServer(options, async (server) => body(server, (await server.listen()).url));
}

const BUCKET = { type: "currentwindow", client: "test", hostname: "desk" } as const;
const AT = new Date("2024-03-01T10:00:00Z");
const ODD_ID = "a/b ?#%ü";
const BEAT = { id: 2, timestamp: "2024-03-01T10:00:00+00:00", duration: 30.25, data: { app: "a" } };

/** Methods with a form of their own, of what they are given or of what they give. */
async function play(client: ActivityClient): Promise<void> {
  const { buckets, events } = client;
  assert.is((await client.info()).hostname, "test-host");
  assert.is((await client.health()).status, "ok");
  assert.is(await buckets.create("window", BUCKET), true);
  assert.is(await buckets.create("window", { ...BUCKET, type: "other" }), false);
  assert.is(await buckets.create(ODD_ID, { ...BUCKET, created: AT, events: [{ timestamp: AT, duration: 5 }] }), true);
  assert.is(await buckets.update("window", { name: "Windows" }), undefined);
  assert.is((await buckets.get("window")).name, "Windows");
  await client.heartbeat("window", { timestamp: AT, data: { app: "a" } }, 60);
  const later = { timestamp: "2024-03-01T11:00:30.25+01:00", data: { app: "a" } };
  assert.equal(await client.heartbeat("window", later, 60), BEAT);
  const one = await events.insert("window", { timestamp: "2024-03-02", duration: 1.5 });
  const [two, three] = await events.insert("window", [{ timestamp: "2024-03-03" }, { timestamp: "2024-03-04" }]);
  assert.equal([one.id, two?.id, three?.id], [3, 4, 5]);
  assert.equal((await events.list("window", { start: AT, end: "2024-03-02", limit: 5 })).at(-1), BEAT);
  assert.equal(await events.get("window", 2), BEAT);
  assert.is(await events.count("window", { start: "2024-03-02T00:00:00+00:00" }), 3);
  assert.is((await events.timeline("window", { start: AT, bins: 1 })).count, 4);
  assert.type((await events.delete("window", 3))?.entry, "string");
  assert.is(await events.delete("window", 3), undefined);
  assert.is((await events.deleteMany("window", [4, 5, 4, 99_999])).count, 2);
  const timeperiods = ["2024-03-01/2024-03-02", { start: AT, end: AT }];
  assert.equal(await client.query({ timeperiods, query: "RETURN = [NAME, query_bucket('window')];", name: "n" }), [
    ["n", [BEAT]],
    ["n", [{ ...BEAT, duration: 0 }]],
  ]);
  assert.is(await client.settings.put("start of/day", null), null);
  assert.is(await client.settings.get("toString"), null);
  const whole = await client.export();
  assert.is(await textOf(client.exportText()), JSON.stringify(whole));
  assert.equal(JSON.parse(await textOf(buckets.exportText(ODD_ID))), await buckets.export(ODD_ID));
  assert.match(await textOf(buckets.exportCsv(ODD_ID, { limit: 1 })), "2024-03-01T10:00:00");
  assert.is((await client.import(whole)).events_already_there, 2);
  const file = new Blob(['{"buckets":{"new":{"type":"","client":"","hostname":""}}}']);
  assert.is((await client.import(file)).buckets_created, 1);
  assert.type((await buckets.delete("new")).entry, "string");
  assert.equal(Object.keys(await buckets.list()), ["window", ODD_ID]);
  for (const name of ["", ".", ".."]) assert.is((await failureOf(buckets.delete(name))).code, "INVALID_INPUT");
  const { code, status, method, url = "", serverMessage, message } = await failureOf(buckets.get("nothing"));
  assert.equal([code, status, method, serverMessage], ["REFUSED", 404, "GET", "no bucket named 'nothing'"]);
  assert.is(message, `GET ${url}: 404 no bucket named 'nothing'`);
  assert.match(url, /\/api\/0\/buckets\/nothing$/);
}

const WAYS: Readonly<Record<string, (server: TestServer, url: string) => ActivityClient>> = {
  "over HTTP": (_, url) => createClient({ url }),
  "without a socket": (server) => connect(server),
  "under a prefix, with a fetch of the caller's": ({ fetch }) => createClient({ url: "http://h/tracker//", fetch }),
};

for (const [way, clientOf] of Object.entries(WAYS)) {
  test(`every call gives what the routes promise ${way}`, () =>
    withUrl({ basePath: "/tracker" }, (server, url) => play(clientOf(server, url))));
}

test("no named member of a server is the way of connect(), which nothing guards", () =>
  withTestServer({ apiKey: "secret" }, async (server) => {
    const names = Object.getOwnPropertyNames(server);
    assert.ok(names.includes("fetch"));
    for (const name of names) assert.is.not(server[name as keyof typeof server], server[IN_PROCESS], name);
    assert.is((await server.fetch("/api/0/buckets")).status, 401);
    assert.is((await server[IN_PROCESS]("/api/0/buckets")).status, 200);
  }));

test("responses without a body are responses in process, too", () =>
  withTestServer({}, async (server) => {
    const within = server[IN_PROCESS];
    const head = await within("/api/openapi.json", { method: "HEAD" });
    assert.equal([head.status, head.body], [200, null]);
    const sent = { method: "POST", body: '{"type":"t","client":"c","hostname":"h"}' };
    const headers = { "content-type": "application/json" };
    assert.is((await within("/api/0/buckets/b", { ...sent, headers })).status, 200);
    const unchanged = await within("/api/0/buckets/b", { ...sent, headers });
    assert.equal([unchanged.status, unchanged.body], [304, null]);
  }));

test("in process neither key nor host name nor authorize stands in the way; hooks do", () =>
  withTestServer(
    {
      apiKey: "secret",
      allowedHosts: ["tracker.example"],
      basePath: "/tracker",
      authorize: () => deny(),
      hooks: {
        beforeSetting() {
          throw veto("not today");
        },
      },
    },
    async (server) => {
      const client = connect(server);
      assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), true);
      assert.equal(Object.keys(await client.buckets.list()), ["b"]);
      const error = await failureOf(client.settings.put("a", 1));
      assert.is(error.serverMessage, "not today");
    },
  ));

test("a closed server says so in process", async () => {
  const server = createTestServer();
  const client = connect(server);
  await server.close();
  const error = await failureOf(client.info());
  assert.is(error.status, 503);
});

test("a document travels in pieces from one server into another", async () => {
  const [from, to] = [createTestServer(), createTestServer()];
  const [source, target] = [connect(from), connect(to)];
  await source.buckets.create("b", { type: "t", client: "c", hostname: "h" });
  const events = Array.from({ length: 30_000 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + index * 1000),
    data: { title: `ünïcode ${index}` },
  }));
  await source.events.insert("b", events);
  const pieces: string[] = [];
  for await (const piece of source.exportText()) pieces.push(piece);
  assert.ok(pieces.length > 1, "it came in one piece");
  assert.is((await target.import(new Blob(pieces))).events_imported, events.length);
  assert.is(await textOf(target.buckets.exportText("b")), await textOf(source.buckets.exportText("b")));
  await Promise.all([from.close(), to.close()]);
});

test.run();
