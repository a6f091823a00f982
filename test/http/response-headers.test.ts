// Headers that every response has, whatever it is.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type Served, withServer } from "../harness.js";
import { fill } from "./storages.js";

const test = suite("headers of every response");

const BEAT = '{"timestamp":"2024-03-01T10:00:00Z","data":{}}';
const JSON_TYPE = { "content-type": "application/json" };

/** Requests for every kind of response of the API. */
const REQUESTS: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
  [200, "/api/0/info"],
  [200, "/api/0/health"],
  [200, "/api/openapi.json"],
  [200, "/api/0/buckets/b/events?limit=1"],
  [200, "/api/0/export"],
  [200, "/api/0/export", { method: "HEAD" }],
  [200, "/api/0/buckets/b/heartbeat?pulsetime=1", { method: "POST", headers: JSON_TYPE, body: BEAT }],
  [200, "/api/0/settings/k", { method: "POST", headers: JSON_TYPE, body: "1" }],
  [304, "/api/0/buckets/b", { method: "POST", headers: JSON_TYPE, body: '{"type":"t","client":"c","hostname":"h"}' }],
  [204, "/api/0/info", { method: "OPTIONS" }],
  [400, "/api/0/buckets/b/events?limit=x"],
  [400, "/api/0/query", { method: "POST", headers: JSON_TYPE, body: '{"timeperiods":[],"query":[")"]}' }],
  [400, "/api/0/buckets/%ff"],
  [403, "/api/0/buckets", { headers: { origin: "http://evil.example" } }],
  [404, "/api/0/nothing"],
  [404, "/api/assets/nothing.js"],
  [405, "/api/0/info", { method: "DELETE" }],
  [415, "/api/0/settings/k", { method: "POST", headers: { "content-type": "text/plain" }, body: "1" }],
];

async function withLarge(body: (served: Served) => Promise<void>): Promise<void> {
  const storage = memory();
  // Large enough that an export is streamed.
  await fill(storage, "b", 5000, 1000);
  await withServer({ storage, cors: ["http://trusted.example"] }, body);
}

test("nothing under /api/ is sniffed, loaded or framed by other sites, or kept without a validator", () =>
  withLarge(async ({ server }) => {
    for (const [status, path, init] of REQUESTS) {
      const answer = await server.fetch(path, init);
      await answer.body?.cancel();
      const { headers } = answer;
      const place = `${init?.method ?? "GET"} ${path}`;
      assert.is(answer.status, status, place);
      assert.is(headers.get("x-content-type-options"), "nosniff", place);
      assert.is(headers.get("cross-origin-resource-policy"), "same-origin", place);
      assert.is(headers.get("content-security-policy"), "frame-ancestors 'none'", place);
      assert.is(headers.get("cache-control"), "no-store", place);
    }
  }));

test("origins that are trusted get their CORS headers, whatever the status is", () =>
  withLarge(async ({ server }) => {
    const origin = "http://trusted.example";
    for (const [status, path, init = {}] of REQUESTS) {
      if (status === 403 || !path.startsWith("/api/0/")) continue;
      const answer = await server.fetch(path, { ...init, headers: { ...init.headers, origin } });
      await answer.body?.cancel();
      const told = ["access-control-allow-origin", "vary"].map((name) => answer.headers.get(name));
      assert.equal([answer.status, ...told], [status, origin, "Origin"], path);
    }
    const asking = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    const { headers } = await server.fetch("/api/0/buckets/b", { method: "OPTIONS", headers: { ...asking, origin } });
    assert.match(headers.get("access-control-allow-methods") ?? "", "POST");
    assert.is(headers.get("access-control-allow-headers"), "content-type");
  }));

test.run();
