import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import { createActivityServer, type ListenOptions, type Logger, type Storage, VERSION } from "../src/index.js";
import { createTestServer } from "../src/testing/index.js";
import { checkedFetch } from "./api/answer-check.js";
import { BUCKET, inTime, withServer } from "./harness.js";
import { event, json, refusal } from "./http/client.js";
import { ask, jsonRequest } from "./http/raw.js";

const test = suite("createActivityServer");

/** A storage in which one verb fails. */
function failing(verb: keyof Storage, error: unknown): Storage {
  return {
    ...memory(),
    [verb]: async () => {
      throw error;
    },
  };
}

/** How many sockets this process listens at. */
function listening(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
}

test("an app may change its lists later, without an effect on its server", async () => {
  const cors: string[] = [];
  const allowedHosts = ["ours.example"];
  await withServer({ cors, allowedHosts }, async ({ send }) => {
    cors.push("http://a.example");
    allowedHosts.push("other.example");
    refusal(await send("GET", "/api/0/info", undefined, { Host: "ours.example", Origin: "http://a.example" }), 403);
    refusal(await send("GET", "/api/0/info", undefined, { Host: "other.example" }), 400);
  });
});

test("two servers in one process share nothing", () =>
  withServer({ hostname: "one", testing: true, apiKey: "key" }, (one) =>
    withServer({ hostname: "two", cors: ["http://a.example"] }, async (two) => {
      const key = { Authorization: "Bearer key" };
      json(await one.send("POST", "/api/0/buckets/b", BUCKET, key));
      json(await one.send("POST", "/api/0/buckets/b/events", [event(0)], key));
      json(await one.send("POST", "/api/0/settings/x", "1", key));
      assert.equal(json(await two.send("GET", "/api/0/buckets")), {});
      assert.equal(json(await two.send("GET", "/api/0/settings")), {});
      refusal(await one.send("GET", "/api/0/buckets"), 401);
      refusal(await one.send("GET", "/api/0/info", undefined, { Origin: "http://a.example" }), 403);
      json(await two.send("GET", "/api/0/info", undefined, { Origin: "http://a.example" }));
      const infos = [json(await one.send("GET", "/api/0/info")), json(await two.send("GET", "/api/0/info"))];
      const [first, second] = infos as { hostname: string; testing: boolean; device_id: string }[];
      assert.equal([first?.hostname, first?.testing, second?.hostname, second?.testing], ["one", true, "two", false]);
      assert.is.not(first?.device_id, second?.device_id);
      json(await two.send("POST", "/api/0/buckets/b", BUCKET));
      const [inserted] = json(await two.send("POST", "/api/0/buckets/b/events", [event(0)])) as { id: number }[];
      assert.is(inserted?.id, 1);
      await two.server.close();
      json(await one.send("GET", "/api/0/buckets", undefined, key));
    }),
  ));

test("nothing listens and nothing is asked of the storage before it has to be", async () => {
  const asked: PropertyKey[] = [];
  const storage = new Proxy(memory(), {
    get(target, key) {
      const verb = Reflect.get(target, key) as unknown;
      if (typeof verb !== "function") return verb;
      return (...args: unknown[]) => {
        asked.push(key);
        return Reflect.apply(verb as (...all: unknown[]) => unknown, target, args);
      };
    },
  });
  const before = listening();
  const server = createActivityServer({ storage, webui: "/no/such/folder" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(listening(), before);
  assert.equal(asked, []);
  await server.listen({ port: 0 });
  assert.is(listening(), before + 1);
  // The records of the clock, and of the trash: what was in it long enough goes.
  assert.equal([...new Set(asked)], ["ready", "records"]);
  await server.close();
  assert.equal([...new Set(asked)], ["ready", "records", "close"]);
});

test("a port that is taken rejects with EADDRINUSE, and the server goes on", () =>
  withServer({}, async ({ server, port, send }) => {
    for (let time = 0; time < 2; time++) {
      const error = await server.listen({ port }).then(
        () => undefined,
        (thrown: NodeJS.ErrnoException) => thrown,
      );
      assert.is(error?.code, "EADDRINUSE");
    }
    json(await send("GET", "/api/0/info"));
    await (await server.listen({ port: 0 })).close();
  }));

test("a port or host that cannot be rejects", () =>
  withServer({}, async ({ server }) => {
    for (const options of [{ port: -1 }, { port: 65_536 }, { port: Number.NaN }, { port: 0, host: "256.0.0.1" }]) {
      const outcome = await server.listen(options).then(
        () => "listens",
        (thrown: unknown) => (thrown instanceof Error ? "error" : "something else"),
      );
      assert.is(outcome, "error", JSON.stringify(options));
    }
  }));

/** A logger as pino makes them: methods that need their object. */
class PinoLike {
  readonly lines: unknown[][];
  constructor(lines: unknown[][]) {
    this.lines = lines;
  }
  info(...line: unknown[]): void {
    this.lines.push(line);
  }
  warn(...line: unknown[]): void {
    this.lines.push(line);
  }
  error(...line: unknown[]): void {
    this.lines.push(line);
  }
}

test("a fault of the storage is logged once, as one error, by a logger that needs its object", () => {
  const lines: unknown[][] = [];
  const storage = failing("summaries", new Error("secret of the disk"));
  return withServer({ storage, logger: new PinoLike(lines) }, async ({ send }) => {
    assert.not.match(refusal(await send("GET", "/api/0/buckets"), 500), /secret|disk/);
    assert.equal([lines.length, lines[0]?.length], [1, 1]);
    assert.instance(lines[0]?.[0], Error);
  });
});

test("a logger that fails takes neither the answer nor the process with it", () => {
  const logger: Logger = {
    info() {},
    warn() {},
    error() {
      throw new Error("the log is full");
    },
  };
  const storage = failing("heartbeat", new Error("the disk is gone"));
  return withServer({ storage, logger }, async ({ port, server }) => {
    const beat = JSON.stringify(event(0));
    const path = "/api/0/buckets/b/heartbeat?pulsetime=1";
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: beat };
    assert.is((await checkedFetch(`http://localhost${path}`, init, server.fetch)).status, 500);
    const answer = await inTime(ask(port, jsonRequest(`POST ${path}`, beat, "Host: localhost")), "the answer");
    refusal(answer, 500);
  });
});

test("the clock, the host name and the version are what was given", () =>
  withServer({ clock: () => Date.UTC(2030, 4, 6, 7, 8, 9, 10), hostname: "räksmörgås" }, async ({ send }) => {
    const info = json(await send("GET", "/api/0/info")) as Record<string, unknown>;
    assert.is(info["hostname"], "räksmörgås");
    assert.is(info["version"], `v${VERSION} (node)`);
    assert.match(String(info["device_id"]), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    json(await send("POST", "/api/0/buckets/b", { ...BUCKET, hostname: "!local", data: { x: 1 } }));
    const bucket = json(await send("GET", "/api/0/buckets/b")) as Record<string, unknown>;
    assert.is(bucket["created"], "2030-05-06T07:08:09.010000+00:00");
    assert.is(bucket["hostname"], "räksmörgås");
    assert.equal(bucket["data"], { x: 1, device_id: info["device_id"] });
  }));

test("a clock with parts of a millisecond gives a time that can be read", () =>
  withServer({ clock: () => 1_709_290_000_000.125, buckets: ["b"] }, async ({ send }) => {
    const { created } = json(await send("GET", "/api/0/buckets/b")) as { created: string };
    assert.match(created, /^2024-03-01T10:46:40\.\d{6}\+00:00$/);
  }));

test("listen() refuses what it would ignore, and names the fix", async () => {
  const asked: string[] = [];
  const storage = { ...memory(), ready: async () => void asked.push("ready") };
  const server = createActivityServer({ storage });
  const testServer = createTestServer();
  const listenTo = (given: unknown) => [server, testServer].map((each) => each.listen(given as ListenOptions));
  const wrong: [unknown, string][] = [
    [8080, "listen() must get an object, got 8080; write listen({ port: 8080 })"],
    ["8080", "listen() must get an object, got '8080'; write listen({ port: 8080 })"],
    ["/tmp/socket", "listen() must get an object, got '/tmp/socket'; write listen({ socketPath: '/tmp/socket' })"],
    [null, "listen() must get an object, got null; write listen({ port: 5600 })"],
    [{ hostname: "::" }, "listen() has no option hostname; its options are port, host, tls, socketPath, connections"],
  ];
  for (const [given, message] of wrong) {
    for (const listened of listenTo(given)) {
      const error = await listened.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.instance(error, TypeError);
      assert.is((error as Error).message, message);
    }
  }
  assert.equal(asked, []);
  await Promise.all([server.close(), testServer.close()]);
});

test.run();
