// Every route with every method, in a host.
import * as assert from "uvu/assert";
import { BUCKET, event, json, refusal, type Send } from "../http/client.js";
import { type HostCase, visit } from "./site.js";

/** Every path with its methods. The bucket `b` with event 1 and the setting `k` exist. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  "/api/0/info": ["GET"],
  "/api/0/buckets": ["GET"],
  "/api/0/buckets/b": ["GET", "POST", "PUT", "DELETE"],
  "/api/0/buckets/b/events": ["GET", "POST"],
  "/api/0/buckets/b/events/count": ["GET"],
  "/api/0/buckets/b/events/1": ["GET", "DELETE"],
  "/api/0/buckets/b/heartbeat": ["POST"],
  "/api/0/buckets/b/export": ["GET"],
  "/api/0/export": ["GET"],
  "/api/0/import": ["POST"],
  "/api/0/settings": ["GET", "POST"],
  "/api/0/settings/k": ["GET", "POST", "DELETE"],
};

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"];

async function prepare(send: Send): Promise<void> {
  json(await send("POST", "/api/0/buckets/b", BUCKET));
  json(await send("POST", "/api/0/buckets/b/events", [event(0)]));
  json(await send("POST", "/api/0/settings/k", { value: [1] }));
}

/** The methods that an Allow header names, sorted. */
function allowed(header: unknown): string[] {
  return String(header).split(/, ?/).sort();
}

export const ROUTE_CASES: readonly HostCase[] = [
  {
    name: "every route does its work",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/new", BUCKET));
        const again = await send("POST", "/api/0/buckets/new", BUCKET);
        assert.equal([again.status, again.body.length], [304, 0]);
        json(await send("PUT", "/api/0/buckets/new", { name: "n" }));
        const bucket = json(await send("GET", "/api/0/buckets/new")) as Record<string, unknown>;
        assert.equal([bucket["id"], bucket["name"]], ["new", "n"]);
        json(await send("POST", "/api/0/buckets/new/heartbeat?pulsetime=60", event(0)));
        const merged = json(await send("POST", "/api/0/buckets/new/heartbeat?pulsetime=60", event(1)));
        assert.is((merged as { duration: number }).duration, 60);
        const [inserted] = json(await send("POST", "/api/0/buckets/new/events", [event(5, { ü: "😀" })])) as [
          { id: number; data: unknown },
        ];
        assert.equal(inserted.data, { ü: "😀" });
        const one = json(await send("GET", `/api/0/buckets/new/events/${inserted.id}`));
        assert.equal(one, inserted);
        const listed = json(
          await send("GET", "/api/0/buckets/new/events?limit=1&start=2024-03-01T00%3A00%3A00%2B00%3A00"),
        );
        assert.equal(listed, [inserted]);
        assert.is(json(await send("GET", "/api/0/buckets/new/events/count")), 2);
        assert.equal(json(await send("POST", "/api/0/settings/x", { value: ["text"] })), { value: ["text"] });
        assert.equal(json(await send("GET", "/api/0/settings/x")), { value: ["text"] });
        assert.equal(json(await send("GET", "/api/0/settings")), { x: { value: ["text"] } });
        assert.equal(json(await send("DELETE", "/api/0/settings/x")), {});
        assert.is(json(await send("GET", "/api/0/settings/x")), null);
        const exported = await send("GET", "/api/0/export");
        assert.match(String(exported.headers["content-disposition"]), "attachment");
        assert.equal(Object.keys((json(exported) as { buckets: object }).buckets), ["new"]);
        assert.equal(json(await send("GET", "/api/0/buckets/new/export")), json(exported));
        const counts = json(await send("POST", "/api/0/import", exported.body)) as Record<string, number>;
        assert.is(counts["events_already_there"], 2);
        assert.equal(json(await send("DELETE", `/api/0/buckets/new/events/${inserted.id}`)), { success: true });
        assert.equal(json(await send("DELETE", "/api/0/buckets/new?force=1")), {});
        assert.equal(json(await send("GET", "/api/0/buckets")), {});
      }),
  },
  {
    name: "HEAD is answered like GET without the body",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        await prepare(send);
        for (const [path, methods] of Object.entries(PATHS)) {
          const head = await send("HEAD", path);
          assert.is(head.body.length, 0, path);
          if (methods.includes("GET")) {
            const { status, headers } = await send("GET", path);
            assert.equal([head.status, head.headers["content-type"]], [status, headers["content-type"]], path);
          } else {
            assert.is(head.status, 405, path);
            assert.equal(allowed(head.headers["allow"]), [...methods, "OPTIONS"].sort(), path);
          }
        }
        assert.is((await send("HEAD", "/api/0/nothing")).status, 404);
        assert.is((await send("HEAD", "/api/0/buckets/none")).status, 404);
      }),
  },
  {
    name: "OPTIONS names the methods of each path",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        for (const [path, methods] of Object.entries(PATHS)) {
          const { status, headers, body } = await send("OPTIONS", path);
          assert.equal([status, body.length], [204, 0], path);
          const wanted = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
          assert.equal(allowed(headers["allow"]), wanted.sort(), path);
        }
      }),
  },
  {
    name: "a method that a path does not have is refused with those it has",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        await prepare(send);
        for (const [path, methods] of Object.entries(PATHS)) {
          for (const method of METHODS.filter((name) => !methods.includes(name))) {
            const answer = await send(method, path, method === "GET" || method === "DELETE" ? undefined : {});
            assert.match(refusal(answer, 405), method);
            const wanted = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
            assert.equal(allowed(answer.headers["allow"]), wanted.sort(), `${method} ${path}`);
          }
        }
      }),
  },
  {
    name: "errors are JSON with a message",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        await prepare(send);
        refusal(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", {}), 400);
        refusal(await send("POST", "/api/0/buckets/b/heartbeat", event(0)), 400);
        refusal(await send("GET", "/api/0/buckets/b/events?limit=x"), 400);
        refusal(await send("DELETE", "/api/0/buckets/b"), 401);
        refusal(await send("GET", "/api/0/buckets/none"), 404);
        refusal(await send("POST", "/api/0/buckets/none/heartbeat?pulsetime=1", event(0)), 404);
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
