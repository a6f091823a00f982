// Heads of requests: long ones, old ones, odd ones.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { BUCKET, inTime, type Served, withServer } from "../harness.js";
import { words } from "../words.js";
import { event, json, refusal, until } from "./client.js";
import { ask, head, jsonRequest, withConnection } from "./raw.js";
import { door, fill, type ReadTally, watched } from "./storages.js";

const test = suite("heads of requests");

const INFO = "GET /api/0/info";
const BEAT = JSON.stringify(event(0));
const HEARTBEAT = "POST /api/0/buckets/b/heartbeat?pulsetime=1";

/** Every kind of head that is as long as wanted. */
const LONG_HEADS: Readonly<Record<string, (length: number) => string>> = {
  "one header": (length) => head(INFO, "Host: localhost", `Cookie: ${"c".repeat(length)}`),
  "many headers": (length) => {
    const lines = Array.from({ length: length / 160 }, (_, index) => `X-${index}: ${"c".repeat(150)}`);
    return head(INFO, "Host: localhost", ...lines);
  },
  "a query": (length) => head(`${INFO}?x=${"q".repeat(length)}`, "Host: localhost"),
};

for (const [kind, longHead] of Object.entries(LONG_HEADS)) {
  test(`16 kB and 48 kB of ${kind} are read`, () =>
    withServer({ buckets: ["b"] }, async ({ port }) => {
      await withConnection(port, async (connection) => {
        for (const length of [16_000, 16_400, 48_000]) {
          connection.write(longHead(length));
          assert.is((await inTime(connection.answer(), "the request"))?.status, 200);
        }
      });
    }));

  test(`100 kB of ${kind} are refused in JSON`, () =>
    withServer({ buckets: ["b"] }, async ({ port, send }) => {
      refusal(await inTime(ask(port, longHead(100_000)), "the request"), 431);
      json(await send("GET", "/api/0/info"));
    }));
}

test("a path of 60 kB is looked up, and one of 100 kB is refused in JSON", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const prefix of ["/", "/api/0/", "/api/0/buckets/", "/api/0/settings/"]) {
      const answer = await ask(port, head(`GET ${prefix}${"a".repeat(60_000)}`, "Host: localhost"));
      refusal(answer, prefix.endsWith("settings/") ? 400 : 404);
      refusal(await ask(port, head(`GET ${prefix}${"a".repeat(100_000)}`, "Host: localhost")), 431);
    }
    const deep = await ask(port, head(`GET /api/0/buckets${"/x".repeat(20_000)}`, "Host: localhost"));
    refusal(deep, 404);
    const slashes = await ask(port, head(`GET ${"/".repeat(50_000)}api/0/info`, "Host: localhost"));
    assert.is(slashes?.status, 200);
    const percents = await ask(port, head(`GET /api/0/buckets/${"%".repeat(50_000)}/events`, "Host: localhost"));
    refusal(percents, 400);
  }));

const NOT_HTTP: Readonly<Record<string, string>> = {
  "no HTTP at all": "hello\r\n\r\n",
  "an empty path": "GET  HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "no path": "GET HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "a path that is only a query": head("GET ?x=1", "Host: localhost"),
  "a path without a slash": head("GET api/0/info", "Host: localhost"),
  "a space in the path": head("GET /api/0/info x", "Host: localhost"),
  "a control character in the path": head("GET /api/0/\u0001info", "Host: localhost"),
  "a method that nobody knows": head("FOO /api/0/info", "Host: localhost"),
  "a method in small letters": head("get /api/0/info", "Host: localhost"),
  "a version to come": "GET /api/0/info HTTP/3.0\r\nHost: localhost\r\n\r\n",
  "HTTP/2 without asking": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "the start of TLS": "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
  "a header without a colon": head(INFO, "Host: localhost", "nonsense"),
  "a space before the colon": head(INFO, "Host: localhost", "X : y"),
  "NUL in a header": head(INFO, "Host: localhost", "X: \u0000"),
  "a folded header": head(INFO, "Host: localhost", "X: y", " z"),
  "two lengths": head(HEARTBEAT, "Host: localhost", "Content-Length: 5", "Content-Length: 6"),
  "a length and chunks": head(HEARTBEAT, "Host: localhost", "Content-Length: 5", "Transfer-Encoding: chunked"),
  "a negative length": head(HEARTBEAT, "Host: localhost", "Content-Length: -1"),
  "a length that is no number": head(HEARTBEAT, "Host: localhost", "Content-Length: 1e3"),
  "a length beyond every number": head(HEARTBEAT, "Host: localhost", `Content-Length: ${"9".repeat(30)}`),
  "chunks twice over": head(HEARTBEAT, "Host: localhost", "Transfer-Encoding: chunked, gzip"),
};

test("what is not HTTP is refused in JSON and the connection is closed", () =>
  withServer({ buckets: ["b"] }, async ({ port, send }) => {
    for (const [name, bytes] of Object.entries(NOT_HTTP)) {
      await withConnection(port, async (connection) => {
        connection.write(bytes);
        const answer = await inTime(connection.answer(), name);
        assert.is(answer?.status, 400, name);
        refusal(answer, 400);
        assert.is((await inTime(connection.rest(), name)).length, 0, `${name}: nothing follows`);
      });
    }
    json(await send("GET", "/api/0/info"));
  }));

/** What is refused while its body is still on the way. */
const REFUSED: readonly (readonly [status: number, path: string, ...lines: readonly string[]])[] = [
  [404, "/api/0/buckets/none/heartbeat?pulsetime=1"],
  [404, "/api/0/nothing"],
  [405, "/api/0/info"],
  [403, "/api/0/buckets/b/heartbeat?pulsetime=1", "Origin: http://foreign.example"],
  [415, "/api/0/import"],
  [415, "/api/0/buckets/b/heartbeat?pulsetime=1"],
];

test("a kept connection serves on after a refusal, behind its body", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const [status, path, ...more] of REFUSED) {
      const type = `Content-Type: ${status === 415 ? "text/plain" : "application/json"}`;
      const lines = ["Host: localhost", `Content-Length: ${BEAT.length}`, type, ...more];
      await withConnection(port, async (connection) => {
        connection.write(head(`POST ${path}`, ...lines) + BEAT + head(INFO, "Host: localhost"));
        refusal(await inTime(connection.answer(), path), status);
        json(await inTime(connection.answer(), "the next"));
      });
    }
  }));

test("CONNECT and an offer to upgrade harm nobody", () =>
  withServer({ buckets: ["b"] }, async ({ port, send }) => {
    for (const target of ["localhost:80", "/api/0/info", "evil.example:443"]) {
      await withConnection(port, async (connection) => {
        connection.write(head(`CONNECT ${target}`, "Host: localhost"));
        const rest = (await inTime(connection.rest(), "the connection")).toString();
        assert.not.match(rest, /^HTTP\/1\.1 [25]/);
      });
    }
    await withConnection(port, async (connection) => {
      const lines = ["Host: localhost", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
      connection.write(head(INFO, ...lines, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
      assert.is((await inTime(connection.answer(), "the offer"))?.status, 200);
    });
    json(await send("GET", "/api/0/info"));
  }));

test("a target that is a whole URL means its path, and * with OPTIONS means the server", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const origin of [`http://127.0.0.1:${port}`, "http://localhost", "HTTP://localhost:1"]) {
      for (const path of ["/api/0/info", "//api//0/info", "/api/0/buckets/b/events?limit=1", "/api/0/export"]) {
        const answer = await inTime(ask(port, head(`GET ${origin}${path}`, "Host: localhost")), origin + path);
        assert.is(answer?.status, 200, origin + path);
      }
      assert.is((await ask(port, head(`GET ${origin}`, "Host: localhost")))?.status, 200, "the page");
      refusal(await ask(port, head(`GET ${origin}/nothing`, "Host: localhost")), 404);
    }
    const evil = await ask(port, head(`GET http://127.0.0.1:${port}/api/0/info`, "Host: evil.example"));
    refusal(evil, 400);
    assert.is((await ask(port, head("OPTIONS *", "Host: localhost")))?.status, 204);
    refusal(await ask(port, head("OPTIONS *", "Host: evil.example")), 400);
    refusal(await ask(port, head("GET *", "Host: localhost")), 404);
  }));

test("a raw backslash or fragment in a path is refused: what stands in front may have seen another path", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const target of words`/api\0\info /api/0/buckets\b /x\..\api/0/info /x/../api\0/info /x\
      http://localhost\api/0/info http://localhost/api\0/info /api/0/info# /api/0/info#/x /public#/../api/0/info`) {
      const answer = await ask(port, head(`GET ${target}`, "Host: localhost"));
      assert.is(answer?.status, 400, target);
    }
  }));

test("an escaped backslash is a character of a name, and a raw one may be in a query string", () =>
  withServer({}, async ({ port, send }) => {
    json(await send("POST", "/api/0/buckets/a%5Cb", BUCKET));
    json(await send("GET", "/api/0/buckets/a%5Cb"));
    for (const target of ["/api/0/info?x=\\", "/./api/0/info?x=\\"]) {
      const answer = await ask(port, head(`GET ${target}`, "Host: localhost"));
      assert.is(answer?.status, 200, target);
    }
  }));

test("HTTP/1.0 is answered, and closed unless it asks for more", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    await withConnection(port, async (connection) => {
      connection.write(head(INFO, "Host: localhost").replace("HTTP/1.1", "HTTP/1.0"));
      assert.is((await inTime(connection.answer(), "the answer"))?.status, 200);
      assert.is((await inTime(connection.rest(), "the connection")).length, 0);
    });
    await withConnection(port, async (connection) => {
      connection.write(
        head(INFO, "Host: localhost", "Connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0").repeat(2),
      );
      assert.is((await inTime(connection.answer(), "the first answer"))?.status, 200);
      assert.is((await inTime(connection.answer(), "the second answer"))?.status, 200);
    });
    refusal(await ask(port, head(INFO).replace("HTTP/1.1", "HTTP/1.0")), 400);
  }));

test("a request without a Host header, with two, or with one that is not ours, is refused in JSON", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const path of ["/api/0/info", "/api/0/buckets/b/events", "/", "/api/0/nothing"]) {
      const doubled = [
        ["Host: evil.example", "Host: localhost"],
        ["Host: localhost", "host: evil.example"],
      ];
      for (const lines of [[], ["Host:"], ["Host: evil.example"], ...doubled]) {
        const answer = await inTime(ask(port, head(`GET ${path}`, ...lines, "Connection: close")), path);
        assert.match(refusal(answer, 400), /\bHost\b/);
      }
    }
  }));

test("Connection: close is heeded", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const path of ["/api/0/info", "/api/0/buckets/b/events", "/api/0/buckets/none/events", "/api/0/export"]) {
      await withConnection(port, async (connection) => {
        connection.write(head(`GET ${path}`, "Host: localhost", "Connection: close"));
        assert.ok((await inTime(connection.answer(), path)) !== undefined);
        assert.is((await inTime(connection.rest(), path)).length, 0);
      });
    }
  }));

test("a body waits for 100 Continue, and a refusal comes instead where it is known before", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    const expecting = ["Host: localhost", "Expect: 100-continue"];
    for (const line of [HEARTBEAT, "POST /api/0/buckets/b/events"]) {
      await withConnection(port, async (connection) => {
        const request = jsonRequest(line, BEAT, ...expecting);
        connection.write(request.slice(0, -BEAT.length));
        assert.is((await inTime(connection.answer(), "the go-ahead"))?.status, 100);
        connection.write(BEAT);
        assert.is((await inTime(connection.answer(), "the answer"))?.status, 200);
      });
    }
  }));

test("what else a client expects is passed over", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const expected of ["a-miracle", "", "200-ok"]) {
      const beat = await ask(port, jsonRequest(HEARTBEAT, BEAT, "Host: localhost", `Expect: ${expected}`));
      assert.type((json(beat) as { id: unknown }).id, "number");
      const nothing = await ask(port, head("GET /api/0/nothing", "Host: localhost", `Expect: ${expected}`));
      assert.match(refusal(nothing, 404), "nothing at this path");
    }
  }));

test("requests in one breath are answered in their order", () =>
  withServer({ buckets: ["b"] }, async ({ port, storage }) => {
    await withConnection(port, async (connection) => {
      const requests = Array.from({ length: 200 }, (_, index) => {
        if (index % 3 === 0) return jsonRequest(HEARTBEAT, JSON.stringify(event(index, { index })), "Host: localhost");
        const kind = index % 3 === 1 ? "/count" : "?limit=1";
        return head(`GET /api/0/buckets/b/events${kind}`, "Host: localhost");
      });
      connection.write(requests.join(""));
      for (const index of requests.keys()) {
        const value = json(await inTime(connection.answer(), "an answer"));
        if (index % 3 === 0) assert.equal((value as { data: unknown }).data, { index });
        else if (index % 3 === 1) assert.type(value, "number");
        // Node may begin to serve a read before the heartbeat in front of it is written.
        else assert.ok((value as unknown[]).length <= 1);
      }
    });
    assert.is(await storage.countEvents("b"), 67);
  }));

/** Serves with three events in `b`, which are read when the gate is opened. */
async function withGate(
  body: (served: Served, reads: ReadTally, gate: ReturnType<typeof door>) => Promise<void>,
): Promise<void> {
  const inner = memory();
  await fill(inner, "b", 3);
  const gate = door();
  const storage = watched(inner, { beforeBatch: () => gate.opened });
  await withServer({ storage }, (served) => body(served, storage.reads, gate));
}

test("of requests in one breath only some are carried out before those in front of them are answered", () =>
  withGate(async ({ port, send }, reads, gate) => {
    const requests = (count: number): string =>
      Array.from({ length: count }, (_, at) =>
        head(`GET /api/0/buckets/b/events?limit=${at + 1}`, "Host: localhost"),
      ).join("");
    await withConnection(port, async (connection) => {
      connection.write(requests(200));
      await until(() => reads.begun >= 65, "some are carried out");
      json(await send("GET", "/api/0/info"));
      assert.is(reads.begun, 65);
      // Other connections go on one by one.
      await withConnection(port, async (other) => {
        other.write(requests(2));
        await until(() => reads.begun === 66, "the first of another connection");
        gate.open();
        for (const _ of [1, 2]) assert.is((await inTime(other.answer(), "an answer"))?.status, 200);
      });
      for (let at = 0; at < 200; at++) {
        const events = json(await inTime(connection.answer(), "an answer")) as unknown[];
        assert.is(events.length, Math.min(at + 1, 3));
      }
    });
    assert.is(reads.begun, 202);
  }));

test("who sends hundreds of requests and takes no answer loses the connection", () =>
  withGate(async ({ port, send }, reads, gate) => {
    await withConnection(port, async (connection) => {
      connection.write(head("GET /api/0/buckets/b/events", "Host: localhost").repeat(1000));
      assert.is((await inTime(connection.rest(), "the connection")).length, 0);
    });
    gate.open();
    json(await send("GET", "/api/0/info"));
    assert.is(reads.begun, 65);
  }));

test("what is no request, behind one whose answer is under way, is not answered inside that answer", async () => {
  const storage = memory();
  await fill(storage, "b", 20_000, 1000);
  await withServer({ storage }, async ({ port, send }) => {
    for (const path of ["/api/0/export", "/api/0/buckets/b/events"]) {
      await withConnection(port, async (connection) => {
        connection.write(head(`GET ${path}`, "Host: localhost"));
        await until(() => connection.socket.bytesRead > 100_000, "the answer was begun");
        connection.write("GARBAGE\r\n\r\n");
        const received = (await inTime(connection.rest(), "the connection")).toString("latin1");
        assert.is(received.split("HTTP/1.1 ").length - 1, 1, `${path}: ${received.slice(-200)}`);
      });
    }
    json(await send("GET", "/api/0/info"));
  });
});

test.run();
