// Answers that are not what was asked for: other values, redirects, bodies that break off, and what errors say of them.
import type { RequestListener } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, createClient } from "../../src/client/index.js";
import { veto } from "../../src/index.js";
import { onPort, withoutStrays, withTestServer } from "../harness.js";
import { failureInTime as failureOf, textOf } from "./failure-of.js";
import { answering, beginning, cutting, type Script, withScript } from "./scripted-server.js";

const test = suite("responses to the client");

const BUCKET = { type: "t", client: "c", hostname: "h" } as const;
const BEAT = { timestamp: "2024-03-01T10:00:00Z" } as const;
const EVENT = { id: 1, timestamp: "2024-03-01T10:00:00+00:00", duration: 1.5, data: {} };
const COUNTS = { buckets_created: 1, buckets_merged: 0, events_imported: 0, events_already_there: 0 };

type Call = (client: ActivityClient) => Promise<unknown>;

function answeredWith(value: unknown): ActivityClient {
  return createClient({ url: "http://h/base", fetch: async () => Response.json(value) });
}

const info: Call = (client) => client.info();
const list: Call = (client) => client.events.list("b");
const heartbeat: Call = (client) => client.heartbeat("b", BEAT, 1);

/** Answers of the right kind outside that lack something inside. */
const INCOMPLETE: Readonly<Record<string, readonly [call: Call, value: unknown, expected: string]>> = {
  "a list for an object": [info, [], "it must be an object"],
  "an object for a list": [list, { events: [] }, "it must be a list"],
  "an object without anything for the server": [info, {}, "hostname must be a string"],
  "a page's state for the server": [info, { hostname: "h", version: "1", device_id: "d" }, "testing must be a boolean"],
  "an object without anything for an event": [heartbeat, {}, "id must be an integer or null"],
  "an id beyond every integer": [heartbeat, { ...EVENT, id: 2 ** 53 }, "id must be an integer or null"],
  "a length that is a text": [heartbeat, { ...EVENT, duration: "1" }, "duration must be a number"],
  "data that is a list": [heartbeat, { ...EVENT, data: [] }, "data must be an object"],
  "a list of what are no events": [list, [EVENT, 1], "1 must be an object"],
  "a list with nothing in an event": [list, [EVENT, {}], "1.id must be an integer"],
  "a part of an event for a number": [(client) => client.events.count("b"), 1.5, "it must be an integer"],
  "nothing about a deletion": [(client) => client.events.delete("b", 1), {}, "success must be a boolean"],
  "a count for what a filter deleted": [(client) => client.events.deleteMatching("b", {}), 1, "it must be an object"],
  "a timeline without a count": [
    (client) => client.events.timeline("b"),
    { start: null, end: null },
    "count must be an integer",
  ],
  "buckets that are texts": [(client) => client.buckets.list(), { a: "1" }, "a must be an object"],
};

for (const [name, [call, value, expected]] of Object.entries(INCOMPLETE)) {
  test(`${name} is no answer, and the error says what is missing`, async () => {
    const error = await failureOf(call(answeredWith(value)));
    assert.is(error.code, "MALFORMED_RESPONSE", error.message);
    assert.is(error.status, 200);
    assert.ok(error.url?.startsWith("http://h/base/api/0/"));
    assert.ok(error.message.startsWith(`${error.method} ${error.url}: 200 with the body "`), error.message);
    assert.ok(error.message.endsWith(`; ${expected}`), error.message);
  });
}

test("more than is asked for does no harm", async () => {
  const more = { ...EVENT, surplus: 1 };
  assert.equal(await heartbeat(answeredWith(more)), more);
  assert.equal(await list(answeredWith([more])), [more]);
  assert.equal(await list(answeredWith([])), []);
  assert.equal(await answeredWith({}).buckets.list(), {});
  assert.equal(await answeredWith({ events_invalid: 0, ...COUNTS }).import("{}"), { events_invalid: 0, ...COUNTS });
});

/** Leads from `/from` to `/to`, where everything succeeds, for the time of the body. */
async function withRedirect(
  status: number,
  body: (from: string, arrived: () => readonly string[]) => Promise<void>,
): Promise<void> {
  const arrived: string[] = [];
  const listener: RequestListener = (request, response) => {
    const { method, url = "" } = request;
    request.resume();
    if (url.startsWith("/from/")) {
      response.writeHead(status, { location: url.replace("from", "to") }).end("moved");
      return;
    }
    arrived.push(`${method} ${url}`);
    response.setHeader("content-type", "application/json");
    response.end(url.endsWith("/events") ? "[]" : JSON.stringify(EVENT));
  };
  await onPort(listener, ({ port }) => body(`http://127.0.0.1:${port}/from`, () => arrived));
}

const WRITES: Readonly<Record<string, Call>> = {
  heartbeat,
  insert: (client) => client.events.insert("b", BEAT),
  create: (client) => client.buckets.create("b", BUCKET),
  update: (client) => client.buckets.update("b", {}),
  "delete of a bucket": (client) => client.buckets.delete("b"),
  query: (client) => client.query({ timeperiods: [], query: "" }),
  import: (client) => client.import("{}"),
};

for (const status of [301, 302, 303, 307, 308]) {
  test(`no write follows a redirect with ${status}: the error says where it leads`, () =>
    withRedirect(status, async (url, arrived) => {
      for (const [name, call] of Object.entries(WRITES)) {
        const error = await failureOf(call(createClient({ url })));
        assert.equal([error.code, error.status], ["MALFORMED_RESPONSE", status], name);
        const to = (error.url ?? "").replace("/from/", "/to/");
        const said = `${status} redirects to ${to}; use the final address as \`url\``;
        assert.is(error.message, `${error.method} ${error.url}: ${said}`);
      }
      assert.equal(arrived(), []);
    }));

  test(`a read follows a redirect with ${status}`, () =>
    withRedirect(status, async (url, arrived) => {
      assert.equal(await list(createClient({ url })), []);
      assert.equal(arrived(), ["GET /to/api/0/buckets/b/events"]);
    }));
}

test("a redirect that a browser hides is told without its place", async () => {
  // What browsers give for `redirect: "manual"`; Node has no way to make one.
  const hidden = { type: "opaqueredirect", status: 0, ok: false, statusText: "", body: null, headers: new Headers() };
  const seen: RequestInit[] = [];
  const client = createClient({
    url: "http://h",
    fetch: async (_, init) => {
      seen.push(init);
      return hidden as unknown as Response;
    },
  });
  const error = await failureOf(heartbeat(client));
  assert.equal([error.code, error.status], ["MALFORMED_RESPONSE", 0]);
  assert.is(error.message, `POST ${error.url}: the server redirects; use the final address as \`url\``);
  assert.is(seen[0]?.redirect, "manual");
});

const notPacked: Script = (socket) =>
  socket.end("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\nConnection: close\r\n\r\nnotgzip");
const notUtf8: Script = (socket) =>
  socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"\u00ff"', "latin1");

for (const [name, script] of Object.entries({
  "cut off": cutting("{"),
  "not packed": notPacked,
  "no UTF-8": notUtf8,
})) {
  test(`an answer whose body is ${name} keeps its status`, async () => {
    await withoutStrays(() =>
      withScript(script, async ({ url }) => {
        for (const call of [info, (client: ActivityClient) => textOf(client.exportText())]) {
          const error = await failureOf(call(createClient({ url })));
          assert.equal([error.code, error.status], ["UNREACHABLE", 200], error.message);
        }
      }),
    );
  });
}

test("an answer that does not end, or that nobody waits for any more, keeps its status", async () => {
  await withScript(beginning("{"), async ({ url }) => {
    // The head is there before the time is over, however busy the machine is.
    const begun = await fetch(url);
    const late = await failureOf(createClient({ url, fetch: async () => begun, timeoutMillis: 20 }).info());
    assert.equal([late.code, late.status], ["TIMEOUT", 200]);
    const controller = new AbortController();
    const pieces = createClient({ url }).exportText({ signal: controller.signal })[Symbol.asyncIterator]();
    assert.is((await pieces.next()).value, "{");
    controller.abort();
    const ended = await failureOf(pieces.next());
    assert.equal([ended.code, ended.status], ["ABORTED", 200]);
  });
});

const KEY = 'k"ey\\1';

test("what a server repeats of the key is not told", async () => {
  const bodies = [JSON.stringify({ message: `no such key: ${KEY}, ${KEY}` }), `<p>${KEY}</p>`.padEnd(80, KEY)];
  for (const status of ["401 Nope", `403 ${KEY}`, "200 OK"]) {
    for (const body of bodies) {
      await withScript(answering(status, body), async ({ url }) => {
        const error = await failureOf(createClient({ url, apiKey: KEY }).info());
        const told = [
          error.message,
          error.serverMessage,
          error.stack,
          error.response?.body,
          JSON.stringify({ ...error }),
        ];
        for (const text of told.map(String)) {
          assert.not.ok(text.includes(KEY) || text.includes(JSON.stringify(KEY).slice(1, -1)), text);
        }
      });
    }
  }
  const broken = createClient({ apiKey: KEY, fetch: () => Promise.reject(new TypeError(`bad header ${KEY}`)) });
  assert.match((await failureOf(broken.info())).message, /no complete response: bad header \*\*\*$/);
});

test("a veto is told from other refusals by its type", async () => {
  const hooks = {
    beforeHeartbeat() {
      throw veto("not this one");
    },
  };
  await withTestServer({ hooks }, async (server) => {
    const { url } = await server.listen();
    const client = createClient({ url });
    await client.buckets.create("b", BUCKET);
    const vetoed = await failureOf(heartbeat(client));
    assert.equal([vetoed.status, vetoed.serverType, vetoed.serverMessage], [403, "Vetoed", "not this one"]);
    const forbidden = await failureOf(heartbeat(createClient({ url, headers: { origin: "https://example.org" } })));
    assert.equal([forbidden.status, forbidden.serverType], [403, undefined]);
    const mistaken = await failureOf(client.query({ timeperiods: ["2024-03-01/2024-03-02"], query: "RETURN = x;" }));
    assert.equal([mistaken.status, mistaken.serverType], [400, "QueryInterpretException"]);
  });
});

test.run();
