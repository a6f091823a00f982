// What holds wherever a request listener is mounted. test/hosts has the frameworks.

import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ActivityError, type ActivityServer, prepareNodeServer } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, onPort, sender, withListening, withServer } from "../harness.js";
import { json, refusal } from "./client.js";

const test = suite("mounting");

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A host that has read the body, and hands over what it has made of that. */
function handingOver(server: ActivityServer, made: () => object): Handle {
  return async (request, response) => {
    for await (const _ of request);
    await server.nodeHandler(Object.assign(request, made()), response);
  };
}

function withMounted(body: (server: ActivityServer, errors: unknown[]) => Promise<void>, options = {}): Promise<void> {
  return withServer({ door: "process", buckets: ["b"], ...options }, ({ server, errors }) => body(server, errors));
}

test("the request of the host is the same after as before, and the promise tells when it is answered", () =>
  withMounted(async (server) => {
    const seen: unknown[] = [];
    const handle: Handle = async (request, response) => {
      const { url } = request;
      const result: unknown = await server.nodeHandler(request, response);
      seen.push([request.url === url, result, response.writableEnded]);
    };
    await onPort(handle, async ({ send }) => {
      const paths = ["/api//0/info", "/api/0/nothing", "/nothing", "/x/../api/0/info", "//api/0/export"];
      for (const path of paths) await send("GET", path);
      assert.equal(
        seen,
        paths.map(() => [true, undefined, true]),
      );
    });
  }));

test("a short response is one write to its connection, also with the method HEAD and other letters", () =>
  withMounted(async (server) => {
    await server.buckets.create("b\u00fc", BUCKET);
    const writes: string[] = [];
    const handle: Handle = (request, response) => {
      const { socket } = request;
      const write = socket._write;
      if (!Object.hasOwn(socket, "_write"))
        socket._write = (chunk, encoding, done) => {
          writes.push(String(chunk));
          write.call(socket, chunk, encoding, done);
        };
      return server.nodeHandler(request, response);
    };
    await onPort(handle, async ({ send }) => {
      const beat = { timestamp: "2024-03-01T10:00:00Z", duration: 1, data: { app: "x" } };
      const answer = await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", beat);
      assert.equal(writes.length, 1);
      const [head, body] = (writes[0] as string).split("\r\n\r\n") as [string, string];
      assert.match(head, `content-length: ${body.length}`);
      assert.equal(JSON.parse(body), json(answer));

      const full = await send("GET", "/api/0/info");
      const empty = await send("HEAD", "/api/0/info");
      assert.is(empty.headers["content-length"], full.headers["content-length"]);
      assert.is(empty.body.length, 0);
      // Other letters than ASCII, in strings and in bytes that the server has kept.
      assert.is((json(await send("GET", "/api/0/buckets/b%C3%BC")) as { id: string }).id, "b\u00fc");
      for (const app of ["x", "\u00fc"]) {
        await send("POST", "/api/0/buckets/b/events", { ...beat, data: { app } });
        for (let read = 0; read < 4; read++) {
          writes.length = 0;
          const [event] = json(await send("GET", "/api/0/buckets/b/events?limit=1")) as [{ data: unknown }];
          assert.equal(event.data, { app });
          assert.is(writes.length, 1);
        }
      }
    });
  }));

test("a host that replaces how responses end gets their bodies", () =>
  withMounted(async (server) => {
    const ended: unknown[] = [];
    const handle: Handle = (request, response) => {
      const { end } = response;
      response.end = ((chunk: unknown) => {
        ended.push(chunk);
        return end.call(response, chunk as string, "utf8");
      }) as typeof response.end;
      return server.nodeHandler(request, response);
    };
    await onPort(handle, async ({ send }) => {
      const answer = await send("GET", "/api/0/info");
      assert.equal(ended, [answer.body.toString()]);
    });
  }));

test("a request that is handed over twice is answered once, and the host is told", () =>
  withMounted(async (server, errors) => {
    const handle: Handle = async (request, response) => {
      await Promise.all([server.nodeHandler(request, response), server.nodeHandler(request, response)]);
    };
    await onPort(handle, async ({ send }) => {
      for (const path of ["/api/0/info", "/nothing", "/api/0/export"]) await send("GET", path);
    });
    const codes = errors.map((error) => ActivityError.is(error) && error.code);
    assert.equal(codes, ["ALREADY_ANSWERED", "ALREADY_ANSWERED", "ALREADY_ANSWERED"]);
    assert.match(String(errors.splice(0)[0]), /GET \/api\/0\/info: .*mount the handler once/);
  }));

test("a request that the host has answered already is left alone", () =>
  withMounted(async (server, errors) => {
    const handle: Handle = async (request, response) => {
      response.end("of the host");
      await server.nodeHandler(request, response);
    };
    await onPort(handle, async ({ port }) => {
      assert.is(await (await fetch(`http://127.0.0.1:${port}/api/0/info`)).text(), "of the host");
    });
    const [error] = errors.splice(0);
    assert.ok(ActivityError.is(error) && error.code === "ALREADY_ANSWERED");
  }));

/** Bodies that something of the host read before, what it kept of them, and what becomes of the request. */
const READ_BEFORE: readonly (readonly [name: string, kept: unknown, type: string, status: number])[] = [
  ["and kept nothing", undefined, "application/json", 400],
  ["and kept the value", { value: 1 }, "application/json", 200],
  ["and kept null", null, "application/json", 200],
  ["and kept a list", [1], "application/json", 200],
  ["and kept the text", '{"value":1}', "application/json", 200],
  ["and kept the bytes", new TextEncoder().encode("[1]"), "application/json", 200],
  ["and kept broken text", "{", "application/json", 400],
  ["and kept the fields of a form", { a: "1" }, "application/x-www-form-urlencoded", 415],
];

for (const [name, kept, type, status] of READ_BEFORE) {
  test(`a body that the host has read ${name} makes ${status}`, () =>
    withMounted(async (server) => {
      const handle: Handle = async (request, response) => {
        for await (const _ of request);
        if (kept !== undefined) Object.assign(request, { body: kept });
        await server.nodeHandler(request, response);
      };
      await onPort(handle, async ({ send }) => {
        const answer = await send("POST", "/api/0/settings/k", typeof kept === "string" ? kept : "{}", {
          "Content-Type": type,
        });
        assert.is(answer.status, status);
        if (kept === undefined)
          assert.match(refusal(answer, 400), /before the middleware that reads bodies, .* request\.body/);
      });
    }));
}

const CYCLE: Record<string, unknown> = {};
CYCLE["self"] = CYCLE;

/** What parsers of JSON do not make, but reviving functions and middleware may, and what the message has to name. */
const NOT_JSON: readonly (readonly [kept: unknown, cause: RegExp])[] = [
  [CYCLE, /circular/i],
  [[CYCLE], /circular/i],
  [{ duration: 5n }, /BigInt/],
  [5n, /BigInt/],
  [
    {
      toJSON() {
        throw new Error("no form");
      },
    },
    /no form/,
  ],
];

test("a body that the host has made something of that JSON cannot hold is 400, and the cause is named", () =>
  withMounted(async (server) => {
    let kept: unknown;
    await onPort(
      handingOver(server, () => ({ body: kept })),
      async ({ send }) => {
        for (const [body, cause] of NOT_JSON) {
          kept = body;
          for (const path of ["/api/0/settings/k", "/api/0/import", "/api/0/buckets/b/heartbeat?pulsetime=1"]) {
            const message = refusal(await send("POST", path, "{}"), 400);
            assert.match(message, /request\.body/);
            assert.match(message, cause);
            assert.not.match(message, "\n");
          }
        }
      },
    );
  }));

test("a JSON text that a parser has taken the quotes off is still that text, and an empty body stays empty", () =>
  withMounted(async (server) => {
    let kept: unknown;
    await onPort(
      handingOver(server, () => ({ body: kept })),
      async ({ send }) => {
        for (const text of ["12", "true", "ü", '"', "", "text"]) {
          kept = text;
          assert.is(json(await send("POST", "/api/0/settings/k", JSON.stringify(text))), text);
        }
        kept = {};
        const empty = await send("POST", "/api/0/settings/k", "", { "Content-Type": "application/json" });
        assert.match(refusal(empty, 400), /the body must be JSON/);
      },
    );
  }));

test("the fields of a form are not taken for the form", () =>
  withMounted(async (server) => {
    await onPort(
      handingOver(server, () => ({ body: {}, files: [] })),
      async ({ port }) => {
        const body = new FormData();
        body.set("file", '{"buckets":{}}');
        const answer = await checkedFetch(`http://127.0.0.1:${port}/api/0/import`, { method: "POST", body });
        assert.is(answer.status, 400);
        assert.match(await answer.text(), /before the middleware that reads bodies/);
      },
    );
  }));

test("limits count for bodies that a host has read", () =>
  withMounted(
    async (server) => {
      const made = () => ({ body: "x".repeat(2000) });
      await onPort(handingOver(server, made), async ({ send }) => {
        for (const path of ["/api/0/settings/x", "/api/0/buckets/b/heartbeat?pulsetime=1", "/api/0/import"]) {
          refusal(await send("POST", path, "{}"), 413);
        }
      });
    },
    { bodyLimitBytes: 1000, importLimitBytes: 1000 },
  ));

test("a web-standard request whose body was read before is refused likewise", () =>
  withMounted(async (server) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "1" };
    for (const path of ["/api/0/settings/k", "/api/0/import", "/api/0/buckets/b/events"]) {
      const used = new Request(`http://localhost${path}`, init);
      await used.text();
      const locked = new Request(`http://localhost${path}`, init);
      locked.body?.getReader();
      for (const request of [used, locked]) {
        for (const ask of [server.fetch, async (given: Request) => server.app.fetch(given)]) {
          const answer = await checkedFetch(request, undefined, ask);
          assert.is(answer.status, 400);
          assert.match(await answer.text(), /before the middleware that reads bodies/);
        }
      }
    }
  }));

test("a host that is closing gets rid of its watchers: the answer under way is the last of its connection", () =>
  withMounted(async (server) => {
    let closed: Promise<unknown> | undefined;
    const listener = http.createServer((request, response) => {
      if (request.url === "/api/0/buckets") closed = new Promise((resolve) => listener.close(resolve));
      void server.nodeHandler(request, response);
    });
    await withListening(listener, async (port) => {
      const { send } = sender(port);
      assert.is((await send("GET", "/api/0/info")).headers.connection, "keep-alive");
      assert.is((await send("GET", "/api/0/buckets")).headers.connection, "close");
      await closed;
    });
  }));

test("a server that was prepared twice answers what is no HTTP once", async () => {
  await withMounted(async (server) => {
    const listener = http.createServer(server.nodeHandler);
    prepareNodeServer(listener);
    prepareNodeServer(listener);
    assert.is(listener.listenerCount("clientError"), 1);
  });
});

test("a host that listens at another address later is checked by that one", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const listener = http.createServer((request, response) => server.nodeHandler(request, response));
    const statuses: number[] = [];
    for (const address of ["0.0.0.0", "127.0.0.1", "0.0.0.0"]) {
      const ask = async (port: number) => {
        const { send, close } = sender(port);
        statuses.push((await send("GET", "/api/0/info", undefined, { Host: "box.example" })).status);
        close();
      };
      await withListening(listener, ask, address);
    }
    assert.equal(statuses, [200, 400, 200]);
  }));

test("the origin rules and the key hold for fetch(), and allowedHosts counts by the URL or the header", () =>
  withServer({ door: "process", apiKey: "key", allowedHosts: ["box.example"] }, async ({ server }) => {
    const status = async (url: string, headers: Record<string, string>): Promise<number> =>
      (await checkedFetch(url, { headers }, server.fetch)).status;
    const key = { authorization: "Bearer key" };
    assert.is(await status("http://box.example/api/0/buckets", key), 200);
    assert.is(await status("http://box.example/api/0/buckets", {}), 401);
    assert.is(await status("http://box.example/api/0/buckets", { ...key, origin: "http://evil.example" }), 403);
    assert.is(await status("http://box.example:81/api/0/buckets", { ...key, origin: "http://box.example:81" }), 200);
    assert.is(await status("http://other.example/api/0/buckets", key), 400);
    assert.is(await status("http://box.example/api/0/buckets", { ...key, host: "evil.example" }), 400);
  }));

test.run();
