import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, connect, createClient, isActivityClientError } from "../../src/client/index.js";
import { allow, deny, veto } from "../../src/index.js";
import { createTestServer, type TestServer, type TestServerOptions } from "../../src/testing/index.js";
import { IN_PROCESS } from "../../src/util/in-process.js";
import { withoutStrays } from "../http/client.js";
import { type Outcome, play, textOf } from "./calls.js";

const test = suite("client");

/** Serves for the time of the body; every server begins in the same state, with the same ids and the same clock. */
async function withServer(
  options: TestServerOptions,
  body: (server: TestServer, url: string) => Promise<void>,
): Promise<void> {
  const server = createTestServer(options);
  await withoutStrays(async () => {
    try {
      await body(server, (await server.listen()).url);
    } finally {
      await server.close();
    }
  });
}

/** What a play comes to over one way. */
async function played(way: (server: TestServer, url: string) => ActivityClient): Promise<Outcome[]> {
  let outcomes: Outcome[] = [];
  await withServer({ basePath: "/tracker" }, async (server, url) => {
    outcomes = await play(way(server, url));
  });
  return outcomes;
}

const overHttp = await played((_, url) => createClient({ url }));

test("every call over HTTP gives what the routes promise", () => {
  const found = new Map(overHttp);
  const beat = { id: 2, timestamp: "2024-03-01T10:00:00+00:00", duration: 30.25, data: { app: "a" } };
  const errorOf = (name: string): unknown => {
    const { error, status } = found.get(name) as { error: string; status?: number };
    return status === undefined ? error : `${error} ${status}`;
  };
  assert.is((found.get("info") as { hostname: string }).hostname, "test-host");
  assert.equal(found.get("no buckets"), {});
  assert.is(found.get("create a bucket"), true);
  assert.is(found.get("create it again"), false);
  assert.is(found.get("create another"), true);
  assert.equal((found.get("get a bucket") as { data: unknown }).data, { a: [1] });
  assert.is(found.get("update a bucket"), undefined);
  assert.equal(found.get("another heartbeat"), beat);
  assert.equal(
    (found.get("insert events") as { id: number }[]).map(({ id }) => id),
    [4, 5],
  );
  assert.equal(found.get("insert no events"), []);
  assert.equal((found.get("list events") as unknown[]).length, 4);
  assert.equal((found.get("list events of a range") as unknown[]).at(-1), beat);
  assert.equal(found.get("get an event"), beat);
  assert.is(found.get("count events"), 4);
  assert.is(found.get("count those of a range"), 3);
  assert.is(found.get("delete an event"), true);
  assert.is(found.get("delete it again"), undefined);
  assert.equal(found.get("delete several events"), [2, false, false]);
  assert.equal(found.get("query"), [
    ["n", [beat]],
    ["n", [{ ...beat, duration: 0 }]],
  ]);
  assert.equal(found.get("query in lines"), [1]);
  assert.is((found.get("info") as { profile?: string }).profile, "default");
  assert.is(found.get("put a setting"), "04:00");
  assert.is(found.get("put nothing"), null);
  assert.equal(found.get("list settings"), { "start of/day": "04:00", off: false });
  assert.is(found.get("get a setting"), "04:00");
  assert.is(found.get("get one that is not set"), null);
  assert.equal(found.get("export all as text"), JSON.stringify(found.get("export all")));
  assert.equal(JSON.parse(String(found.get("export one as text"))).buckets.full.events.length, 1);
  assert.is((found.get("import a file") as { buckets_created: number }).buckets_created, 1);
  assert.equal(Object.keys(found.get("all buckets") as object), ["window", "a/b ?#%ü", "new"]);

  assert.is(errorOf("get one that is not there"), "REFUSED 404");
  assert.is(errorOf("a heartbeat to nowhere"), "REFUSED 404");
  for (const name of [
    "a heartbeat without sense",
    "insert a bad event",
    "list half an event",
    "query with a mistake",
  ]) {
    assert.is(errorOf(name), "REFUSED 400");
  }
  assert.is(errorOf("export nothing as text"), "REFUSED 404");
  assert.is(errorOf("import what is no document"), "REFUSED 400");
  for (const name of ["half a sign", "a time that is none", "a period that is none", "what JSON cannot hold"]) {
    assert.is(errorOf(name), "INVALID_INPUT");
  }
  for (const outcome of found.get("names that no path can hold") as { error: string }[]) {
    assert.is(outcome.error, "INVALID_INPUT");
  }
  assert.is(errorOf("too little time"), "INVALID_INPUT");
});

test("connect() gives the same answers and the same errors without a socket", async () => {
  const inProcess = await played((server) => connect(server));
  for (const [index, outcome] of overHttp.entries()) assert.equal(inProcess[index], outcome, outcome[0]);
  assert.is(inProcess.length, overHttp.length);
});

test("a client under a prefix and one with a fetch of the caller's do so, too", async () => {
  const prefixed = await played((server) => createClient({ url: "http://h/tracker//", fetch: server.fetch }));
  const values = (outcomes: readonly Outcome[]): string => JSON.stringify(outcomes).replaceAll("/tracker/", "/");
  assert.is(values(prefixed), values(overHttp));
});

test("an error names method, URL, status and the server's message, and never the key", async () => {
  await withServer({ apiKey: "secret" }, async (_, url) => {
    const client = createClient({ url, apiKey: "secret" });
    const error: unknown = await client.buckets.get("a b").catch((thrown: unknown) => thrown);
    assert.ok(isActivityClientError(error) && error.code === "REFUSED");
    assert.is(error.message, `GET ${url}/api/0/buckets/a%20b: 404 no bucket named 'a b'`);
    assert.equal([error.method, error.url], ["GET", `${url}/api/0/buckets/a%20b`]);
    assert.equal([error.status, error.serverMessage], [404, "no bucket named 'a b'"]);
    assert.not.match(JSON.stringify({ ...error }) + error.stack, "secret");
  });
});

test("the key opens a server that asks for one", async () => {
  await withServer({ apiKey: "secret" }, async (_, url) => {
    for (const options of [{}, { apiKey: "wrong" }, { apiKey: "" }]) {
      const client = createClient({ url, ...options });
      assert.is((await client.info()).hostname, "test-host");
      const error: unknown = await client.buckets.list().catch((thrown: unknown) => thrown);
      assert.is(isActivityClientError(error) && error.status, 401);
    }
    assert.equal(await createClient({ url, apiKey: "secret" }).buckets.list(), {});
  });
});

test("no named member of a server is the way of connect(), which nothing guards", async () => {
  const server = createTestServer({ apiKey: "secret" });
  const names = Object.getOwnPropertyNames(server);
  assert.ok(names.includes("fetch"));
  for (const name of names) assert.is.not(server[name as keyof typeof server], server[IN_PROCESS], name);
  assert.is((await server.fetch("/api/0/buckets")).status, 401);
  assert.is((await server[IN_PROCESS]("/api/0/buckets")).status, 200);
  await server.close();
});

test("in process neither key nor host name nor authorize stands in the way; hooks do", async () => {
  const server = createTestServer({
    apiKey: "secret",
    allowedHosts: ["tracker.example"],
    basePath: "/tracker",
    authorize: () => deny(),
    hooks: {
      beforeSetting() {
        throw veto("not today");
      },
    },
  });
  const client = connect(server);
  assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), true);
  assert.equal(Object.keys(await client.buckets.list()), ["b"]);
  const error: unknown = await client.settings.put("a", 1).catch((thrown: unknown) => thrown);
  assert.is(isActivityClientError(error) && error.serverMessage, "not today");
  await server.close();
});

test("a closed server says so in process", async () => {
  const server = createTestServer();
  const client = connect(server);
  await server.close();
  const error: unknown = await client.info().catch((thrown: unknown) => thrown);
  assert.is(isActivityClientError(error) && error.status, 503);
});

test("headers of the caller go with each request", async () => {
  const seen: (string | undefined)[] = [];
  const server = createTestServer({
    authorize: (asked) => {
      seen.push(asked.header("x-team"));
      return allow();
    },
  });
  const client = createClient({ fetch: server.fetch, headers: { "X-Team": "blue" } });
  await client.settings.put("a", 1);
  assert.equal(seen, ["blue"]);
  await server.close();
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

const UNFIT: Readonly<Record<string, () => unknown>> = {
  "an address without a scheme": () => createClient({ url: "localhost:5600" }),
  "an address of another scheme": () => createClient({ url: "file:///etc" }),
  "no address": () => createClient({ url: "" }),
  "a time below 0": () => createClient({ timeoutMillis: -1 }),
  "a time that is no number": () => createClient({ timeoutMillis: Number.NaN }),
};

for (const [name, make] of Object.entries(UNFIT)) {
  test(`${name} is refused at once`, () => assert.throws(make, (error: unknown) => error instanceof TypeError));
}

test("a secret that no request can carry is refused without being shown", () => {
  const shown = (make: () => unknown): string => {
    try {
      make();
    } catch (error) {
      return `${error}`;
    }
    return "nothing was thrown";
  };
  for (const make of [
    () => createClient({ apiKey: "geheim\nx" }),
    () => createClient({ url: "http://user:geheim@localhost" }),
  ]) {
    assert.match(shown(make), /^TypeError/);
    assert.not.match(shown(make), "geheim");
  }
});

test.run();
