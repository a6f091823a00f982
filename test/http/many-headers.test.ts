// However many headers a request has: an Origin among them is seen, or the request is refused.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { inTime, withListening, withServer } from "../harness.js";
import { refusal } from "./client.js";
import { ask, head } from "./raw.js";

const test = suite("requests with many headers");

/** A read by a page of another site, with its origin behind so many other headers. */
function foreignRequest(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `X-${index}: y`);
  return head("GET /api/0/buckets", "Host: localhost", ...lines, "Origin: https://evil.example", "Connection: close");
}

test("behind hundreds of headers an origin is seen, behind thousands the request is refused", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const count of [0, 100, 490]) refusal(await inTime(ask(port, foreignRequest(count)), `${count}`), 403);
    for (const count of [500, 990, 1010, 2000, 5000]) {
      assert.match(refusal(await inTime(ask(port, foreignRequest(count)), `${count}`), 431), "more than 500 headers");
    }
  }));

for (const maxHeadersCount of [null, 50]) {
  test(`the same holds on a server of the embedder that looks at ${maxHeadersCount ?? "a thousand"} headers`, () =>
    withServer({ door: "process" }, ({ server: tracker }) => {
      const server = createServer(tracker.nodeHandler);
      server.maxHeadersCount = maxHeadersCount;
      return withListening(server, async (port) => {
        for (const count of [0, 30, 45, 55, 300, 490, 600, 990, 1010, 1900]) {
          const response = await inTime(ask(port, foreignRequest(count)), `${count}`);
          assert.ok([403, 431].includes(response?.status ?? 0), `${count} headers: ${response?.status}`);
        }
      });
    }));
}

for (const name of ["mount", "route"] as const) {
  test(`the same holds behind Hono, by a ${name}, which gives no Node request`, async () => {
    const tracker = createActivityServer({ storage: memory() });
    const app = new Hono();
    if (name === "mount") app.mount("/", tracker.fetch);
    else app.all("/*", ({ req }) => tracker.fetch(req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      assert.is((await ask(port, head("GET /api/0/buckets", "Host: localhost", "Connection: close")))?.status, 200);
      for (const count of [0, 100, 490]) refusal(await inTime(ask(port, foreignRequest(count)), `${count}`), 403);
      for (const count of [510, 990, 1010, 1100]) {
        refusal(await inTime(ask(port, foreignRequest(count)), `${count}`), 431);
      }
      // Repeats become one header.
      for (const line of ["X-Same: y", "Cookie: a", "Accept: y", "Age: 1"]) {
        const lines = ["Host: localhost", "Connection: close", ...Array.from({ length: 1100 }, () => line)];
        const request = head("GET /api/0/buckets", ...lines, "Origin: https://evil.example");
        refusal(await inTime(ask(port, request), line), 431);
      }
    } finally {
      server.closeAllConnections();
      server.close();
      await tracker.close();
    }
  });
}

test("a request of the web standard has no more headers than one of a socket", () =>
  withServer({ door: "process" }, async ({ server: tracker }) => {
    const headersOf = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "y"]));
    for (const [count, status] of [
      [500, 200],
      [501, 431],
    ] as const) {
      assert.is((await tracker.fetch("/api/0/buckets", { headers: headersOf(count) })).status, status);
      const request = new Request("http://localhost/api/0/buckets", { headers: headersOf(count) });
      assert.is((await tracker.app.fetch(request)).status, status);
    }
  }));

test.run();
