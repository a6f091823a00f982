// The server inside a program of somebody else: its listener, its fetch, its app.

import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, type ActivityServerOptions, createActivityServer } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, event, inTime, json, refusal, type Send, sender, withoutStrays } from "./client.js";
import { bucketNamed, fill } from "./storages.js";

const test = suite("a server inside another program");

type Host = (server: ActivityServer, request: IncomingMessage, response: ServerResponse) => unknown;

/** Runs a test with a server of Node that hands requests over in its own way. */
async function withHost(
  host: Host,
  body: (send: Send, server: ActivityServer) => Promise<void>,
  options: Partial<ActivityServerOptions> = {},
): Promise<void> {
  await withoutStrays(async () => {
    const storage = memory();
    await storage.createBucket(bucketNamed("b"));
    const server = createActivityServer({ hostname: "box", storage, ...options });
    const listener = http.createServer((request, response) => void host(server, request, response));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { send, close } = sender((listener.address() as AddressInfo).port);
    try {
      await body((...request) => inTime(send(...request), request.slice(0, 2).join(" ")), server);
    } finally {
      close();
      listener.close();
      listener.closeAllConnections();
      await server.close();
    }
  });
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Programs that serve as they are, or have read the body before, as body parsers of frameworks do. */
const HOSTS: Readonly<Record<string, Host>> = {
  "a plain listener": (server, request, response) => server.nodeHandler(request, response),
  "a listener that does something else first": async (server, request, response) => {
    await new Promise((resolve) => setImmediate(resolve));
    server.nodeHandler(request, response);
  },
  "a framework that parsed the body": async (server, request, response) => {
    Object.assign(request, { body: parsed(await bytesOf(request)) });
    server.nodeHandler(request, response);
  },
  "a framework that read the body as text": async (server, request, response) => {
    Object.assign(request, { body: (await bytesOf(request)).toString() });
    server.nodeHandler(request, response);
  },
  "a framework that read the body as bytes": async (server, request, response) => {
    Object.assign(request, { body: await bytesOf(request) });
    server.nodeHandler(request, response);
  },
  "a framework that strips a prefix": (server, request, response) => {
    request.url = (request.url ?? "").replace(/^\/tracker/, "");
    server.nodeHandler(request, response);
  },
};

for (const [name, host] of Object.entries(HOSTS)) {
  test(`every route works in ${name}`, () =>
    withHost(host, async (send) => {
      const at = (path: string): string => (name.includes("prefix") ? `/tracker${path}` : path);
      json(await send("POST", at("/api/0/buckets/new"), BUCKET));
      json(await send("PUT", at("/api/0/buckets/new"), { name: "n" }));
      json(await send("POST", at("/api/0/buckets/new/heartbeat?pulsetime=60"), event(0)));
      json(await send("POST", at("/api/0/buckets/new/heartbeat?pulsetime=60"), event(1)));
      const [inserted] = json(await send("POST", at("/api/0/buckets/new/events"), [event(5, { ü: "😀" })])) as [
        { id: number },
      ];
      assert.equal(json(await send("POST", at("/api/0/settings/x"), { value: ["text"] })), { value: ["text"] });
      json(await send("GET", at(`/api/0/buckets/new/events/${inserted.id}`)));
      assert.is((json(await send("GET", at("/api/0/buckets/new/events"))) as unknown[]).length, 2);
      const exported = await send("GET", at("/api/0/export"));
      const counts = json(await send("POST", at("/api/0/import"), exported.body)) as Record<string, number>;
      assert.is(counts["events_already_there"], 2);
      json(await send("DELETE", at(`/api/0/buckets/new/events/${inserted.id}`)));
      json(await send("DELETE", at("/api/0/buckets/new?force=1"), {}));
      refusal(await send("POST", at("/api/0/buckets/b/heartbeat?pulsetime=1"), {}), 400);
      refusal(await send("POST", at("/api/0/settings/x"), "1", { "Content-Type": "text/plain" }), 415);
      refusal(await send("GET", at("/nothing")), 404);
    }));
}

test("a body that a host has read and thrown away is refused, and nothing waits for it", () =>
  withHost(
    async (server, request, response) => {
      await bytesOf(request);
      server.nodeHandler(request, response);
    },
    async (send) => {
      for (const path of ["/api/0/buckets/b/heartbeat?pulsetime=1", "/api/0/buckets/b/events", "/api/0/import"]) {
        refusal(await send("POST", path, event(0)), 400);
      }
    },
  ));

test("limits count for bodies that a host has read", () =>
  withHost(
    async (server, request, response) => {
      Object.assign(request, { body: parsed(await bytesOf(request)) });
      server.nodeHandler(request, response);
    },
    async (send) => {
      for (const path of ["/api/0/settings/x", "/api/0/buckets/b/heartbeat?pulsetime=1", "/api/0/import"]) {
        refusal(await send("POST", path, JSON.stringify("x".repeat(2000))), 413);
      }
    },
    { bodyLimitBytes: 1000, importLimitBytes: 1000 },
  ));

test("the Host header is checked in a host that is bound to loopback, unless an option says otherwise", async () => {
  const plain: Host = (server, request, response) => server.nodeHandler(request, response);
  for (const [options, status] of [
    [{}, 400],
    [{ allowedHosts: false }, 200],
    [{ allowedHosts: ["box.example"] }, 200],
  ] as const) {
    await withHost(
      plain,
      async (send) => {
        for (const path of ["/api/0/info", "/api/0/export", "/api/0/buckets/b/events"]) {
          assert.is((await send("GET", path, undefined, { Host: "box.example" })).status, status, path);
        }
      },
      options,
    );
  }
});

test("a host that listens at another address later is checked by that one", async () => {
  const server = createActivityServer({ storage: memory() });
  const listener = http.createServer((request, response) => server.nodeHandler(request, response));
  const statuses: number[] = [];
  for (const address of ["0.0.0.0", "127.0.0.1", "0.0.0.0"]) {
    await new Promise<void>((resolve) => listener.listen(0, address, resolve));
    const { send, close } = sender((listener.address() as AddressInfo).port);
    statuses.push((await send("GET", "/api/0/info", undefined, { Host: "box.example" })).status);
    close();
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  }
  await server.close();
  assert.equal(statuses, [200, 400, 200]);
});

test("requests of fetch() need no Host header, take any body, and collapse doubled slashes", async () => {
  const storage = memory();
  await fill(storage, "b", 2, 5);
  const server = createActivityServer({ storage });
  const ask = async (method: string, url: string, body?: BodyInit): Promise<[number, unknown]> => {
    const headers = { "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body, duplex: "half" }) } as RequestInit;
    const answer = await checkedFetch(url, init, server.fetch);
    const text = await answer.text();
    return [answer.status, text === "" ? "" : JSON.parse(text)];
  };
  const stream = (text: string): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  for (const base of ["http://localhost", "https://anything.example:444", "http://h/", "http://h//"]) {
    assert.is((await ask("GET", `${base}/api/0/buckets/b/events`))[0], 200, base);
    assert.equal(await ask("POST", `${base}/api//0/settings/k`, stream('"ü"')), [200, "ü"]);
    assert.equal(await ask("POST", `${base}/api/0/settings/k`, new Blob(["[1]"])), [200, [1]]);
    assert.equal(await ask("GET", `${base}/api/0/settings/k?x=//&y`), [200, [1]]);
    assert.is((await ask("HEAD", `${base}/api/0/export`))[1], "");
    assert.is((await ask("POST", `${base}/api/0/buckets/b/heartbeat?pulsetime=1`, "{"))[0], 400);
    assert.is((await ask("GET", `${base}/api/0/buckets/%ff`))[0], 400);
  }
  const bare = await checkedFetch("/api/0/info", {}, async (request) => server.app.fetch(request));
  assert.is(bare.status, 200);
  await server.close();
});

test("the origin rules and the key hold for fetch(), and allowedHosts counts by the URL or the header", async () => {
  const server = createActivityServer({ storage: memory(), apiKey: "key", allowedHosts: ["box.example"] });
  const status = async (url: string, headers: Record<string, string>): Promise<number> =>
    (await checkedFetch(url, { headers }, server.fetch)).status;
  const key = { authorization: "Bearer key" };
  assert.is(await status("http://box.example/api/0/buckets", key), 200);
  assert.is(await status("http://box.example/api/0/buckets", {}), 401);
  assert.is(await status("http://box.example/api/0/buckets", { ...key, origin: "http://evil.example" }), 403);
  assert.is(await status("http://box.example:81/api/0/buckets", { ...key, origin: "http://box.example:81" }), 200);
  assert.is(await status("http://other.example/api/0/buckets", key), 400);
  assert.is(await status("http://box.example/api/0/buckets", { ...key, host: "evil.example" }), 400);
  await server.close();
});

test.run();
