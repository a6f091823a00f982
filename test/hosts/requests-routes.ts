// What a host has to hand over of a request: method, path, query, body. What operations do is tested elsewhere.
import * as assert from "uvu/assert";
import { BUCKET } from "../harness.js";
import { event, json, refusal } from "../http/client.js";
import { type HostCase, visit } from "./site.js";

/** Paths with their methods. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  "/api/0/buckets/b": ["GET", "POST", "PUT", "DELETE"],
  "/api/0/import": ["POST"],
};

/** The methods that an Allow header names, sorted. */
function allowed(header: unknown): string[] {
  return String(header).split(/, ?/).sort();
}

export const ROUTE_CASES: readonly HostCase[] = [
  {
    name: "a bucket is made, filled, read, exported, imported and deleted",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/new", BUCKET));
        const again = await send("POST", "/api/0/buckets/new", BUCKET);
        assert.equal([again.status, again.body.length], [304, 0]);
        json(await send("PUT", "/api/0/buckets/new", { name: "n" }));
        json(await send("POST", "/api/0/buckets/new/heartbeat?pulsetime=60", event(0)));
        const merged = json(await send("POST", "/api/0/buckets/new/heartbeat?pulsetime=60", event(1)));
        assert.is((merged as { duration: number }).duration, 60);
        const [inserted] = json(await send("POST", "/api/0/buckets/new/events", [event(5, { ü: "😀" })])) as unknown[];
        const newest = "/api/0/buckets/new/events?limit=1&start=2024-03-01T00%3A00%3A00%2B00%3A00";
        assert.equal(json(await send("GET", newest)), [inserted]);
        const exported = await send("GET", "/api/0/export");
        assert.match(String(exported.headers["content-disposition"]), "attachment");
        const counts = json(await send("POST", "/api/0/import", exported.body)) as Record<string, number>;
        assert.is(counts["events_already_there"], 2);
        assert.equal(json(await send("DELETE", "/api/0/buckets/new?force=1")), {});
      }),
  },
  {
    name: "HEAD, OPTIONS and methods that a path does not have come through",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        const [head, whole] = [await send("HEAD", "/api/0/buckets/b"), await send("GET", "/api/0/buckets/b")];
        assert.equal([head.status, head.body.length], [200, 0]);
        assert.is(head.headers["content-type"], whole.headers["content-type"]);
        for (const [path, methods] of Object.entries(PATHS)) {
          const wanted = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
          const preflight = await send("OPTIONS", path);
          assert.equal([preflight.status, preflight.body.length], [204, 0], path);
          const refused = await send("PATCH", path, {});
          assert.match(refusal(refused, 405), "PATCH");
          for (const { headers } of [preflight, refused]) assert.equal(allowed(headers["allow"]), wanted, path);
        }
      }),
  },
  {
    name: "errors are JSON with a message",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        refusal(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", {}), 400);
        refusal(await send("GET", "/api/0/buckets/b/events?limit=x"), 400);
        refusal(await send("DELETE", "/api/0/buckets/b"), 401);
        for (const path of ["/api/0/nothing", "/api/1/info", "/nothing", "/api/0"]) {
          refusal(await send("GET", path), 404);
          refusal(await send("POST", path, {}), 404);
        }
        for (const path of ["/api/0/settings/k", "/api/0/import", "/api/0/buckets/b/heartbeat?pulsetime=1"]) {
          refusal(await send("POST", path, "a=1", { "Content-Type": "text/plain" }), 415);
          refusal(await send("POST", path, "a=1", { "Content-Type": "application/x-www-form-urlencoded" }), 415);
        }
        for (const path of ["/api/0/settings/k", "/api/0/import", "/api/0/buckets/b/events"]) {
          const answer = await send("POST", path, '{"a": ');
          if (host.parsesJson) assert.is(answer.status, 400);
          else refusal(answer, 400);
        }
      }),
  },
  {
    name: "pages of the same site may call it, foreign ones may not",
    run: (host, prefix) =>
      visit(host, prefix, async ({ site, send }) => {
        const own = await send("GET", "/api/0/buckets", undefined, { Origin: site.origin });
        assert.equal([own.status, own.headers["access-control-allow-origin"]], [200, site.origin]);
        for (const origin of ["http://evil.example", "https://localhost.evil.example", "null"]) {
          refusal(await send("GET", "/api/0/buckets", undefined, { Origin: origin }), 403);
          refusal(await send("POST", "/api/0/buckets/x", BUCKET, { Origin: origin }), 403);
          refusal(await send("OPTIONS", "/api/0/import", undefined, { Origin: origin }), 403);
        }
        assert.equal(json(await send("GET", "/api/0/buckets")), {});
      }),
  },
];
