// Bucket ids that paths are not made for, in a host.
import * as assert from "uvu/assert";
import { BUCKET } from "../harness.js";
import { event, json, refusal } from "../http/client.js";
import { type HostCase, visit } from "./site.js";

const ODD_IDS: readonly string[] = [
  ...["a/b", "/", "a//b", "ü😀", "e\u0301", "a b", " ", "q?x=1", "h#y", "100%", "%2F", "%", "a\\b"],
  ...["semi;colon,comma", "plus+sign", "...", "..x", "a..b", "../../api/0/info", "api", "api/0/info", "/api/0/info"],
  ...["buckets", "events", "__proto__", "line\nbreak", "'\"<&>", "x".repeat(1_024)],
];

/** Dots alone cannot be said in a path: whoever reads it as a URL resolves them. */
const DOTS = ["%2e%2e", "%2E%2E", ".%2e", ".."];

export const ID_CASES: readonly HostCase[] = [
  {
    name: "a bucket can have any id",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send, storage }) => {
        for (const id of ODD_IDS) {
          const bucket = `/api/0/buckets/${encodeURIComponent(id)}`;
          assert.equal(json(await send("POST", bucket, BUCKET)), {}, id.slice(0, 50));
          assert.is((json(await send("GET", bucket)) as { id: string }).id, id);
          json(await send("POST", `${bucket}/heartbeat?pulsetime=1`, event(0)));
          assert.is((json(await send("GET", `${bucket}/events`)) as unknown[]).length, 1);
        }
        const kept = (await storage.listBuckets()).map((bucket) => bucket.id);
        assert.equal(kept.sort(), [...ODD_IDS].sort());
        for (const id of ODD_IDS) json(await send("DELETE", `/api/0/buckets/${encodeURIComponent(id)}?force=1`));
        assert.equal(json(await send("GET", "/api/0/buckets")), {});
      }),
  },
  {
    name: "a path of dots is an error, and leads nowhere else",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send, storage }) => {
        for (const dots of DOTS) {
          for (const path of [`/api/0/buckets/${dots}/${dots}/events`, `/api/0/buckets/${dots}`]) {
            const { status, body } = await send("POST", path, BUCKET);
            assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
            if (!host.readsPaths) assert.type(JSON.parse(body.toString()).message, "string");
          }
        }
        assert.equal(await storage.listBuckets(), []);
      }),
  },
  {
    name: "a path that is not UTF-8 is an error",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        for (const id of ["%ff", "%zz", "%"]) {
          const answer = await send("GET", `/api/0/buckets/${id}`);
          if (host.readsPaths) assert.is(answer.status, 400, id);
          else refusal(answer, 400);
        }
      }),
  },
  {
    name: "what follows the API's path is never taken for the API again",
    run: (host, prefix) =>
      visit(host, prefix, async ({ send }) => {
        json(await send("POST", "/api/0/buckets/x", BUCKET));
        for (const path of ["/api/0/buckets/x/api/0/info", "/api/0/nothing/api/0/info", "/api/0/info/api/0/buckets"]) {
          refusal(await send("GET", path), 404);
        }
      }),
  },
];
