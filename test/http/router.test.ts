import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Resource, resourcesOf } from "../../src/http/route.js";
import { createRouter } from "../../src/http/router.js";
import { words } from "../words.js";

const test = suite("router");

const PATHS = words`/api/0/info /api/0/buckets /api/0/buckets/:bucketId /api/0/settings/:key
  /api/0/buckets/:bucketId/events /api/0/buckets/:bucketId/events/count /api/0/buckets/:bucketId/events/:eventId`;
const ALL: readonly Resource[] = resourcesOf(
  PATHS.map((path) => ({ method: "GET", path, summary: "", handle: () => Promise.reject(new Error("not called")) })),
);

/** What a path leads to, in words. */
function found(path: string, basePath?: string): string {
  const { target, rawParams, path: below } = createRouter([ALL], basePath)(path);
  if (typeof target === "string") return `${target} ${below}`;
  return [target.path, ...Object.entries(rawParams).map(([name, value]) => `${name}=${value}`)].join(" ");
}

const INFO = "/api/0/info";
const EVENTS = "/api/0/buckets/:bucketId/events bucketId=";

/** Paths below the place where a server is mounted. */
const LED: readonly (readonly [path: string, leadsTo: string])[] = [
  ["/api/0/info", INFO],
  ["/api/0/info/", INFO],
  ["//api//0/info", INFO],
  ["/api/0/buckets/a%2Fb/events", `${EVENTS}a%2Fb`],
  ["/api/0/buckets/api/events", `${EVENTS}api`],
  ["/api/0/buckets/%2Fapi%2F0%2Finfo/events", `${EVENTS}%2Fapi%2F0%2Finfo`],
  ["/api/0/buckets/tracker/events", `${EVENTS}tracker`],
  ["/api/0/buckets/b/events/count", "/api/0/buckets/:bucketId/events/count bucketId=b"],
  ["/api/0/buckets/b/events/5", "/api/0/buckets/:bucketId/events/:eventId bucketId=b eventId=5"],
  ["/api/0/settings/api", "/api/0/settings/:key key=api"],
  ["/api/0/nothing", "unknown /api/0/nothing"],
  ["/api/0", "unknown /api/0"],
  ["/api", "unknown /api"],
  ["/api/", "unknown /api/"],
  ["/api/1/info", "unknown /api/1/info"],
  ["/api/api/0/info", "unknown /api/api/0/info"],
  ["/%61pi/0/in%66o", INFO],
  ["/%61pi/0/nothing", "unknown /api/0/nothing"],
  // Half an escape does not become a whole one.
  ["/a/%2%65%2%65/b", "beside /a/%2%65%2%65/b"],
  ["/api/0/buckets/%2%65/events", `${EVENTS}%2%65`],
  ["/API/0/info", "beside /API/0/info"],
  ["/", "beside /"],
  ["/apiary", "beside /apiary"],
  ["/my-api/0/info", "beside /my-api/0/info"],
  ["/js/app.js", "beside /js/app.js"],
];

for (const [path, leadsTo] of LED) {
  test(`${path} leads to ${leadsTo}`, () => {
    for (const basePath of [undefined, "", "/tracker", "/deep/tracker"]) assert.is(found(path, basePath), leadsTo);
    assert.is(found(`/tracker${path}`, "/tracker"), leadsTo);
    assert.is(found(`/deep/tracker/${path}`, "/deep/tracker"), leadsTo);
  });
}

test("nothing but the base path is cut, and that once", () => {
  for (const basePath of [undefined, "", "/tracker"]) {
    for (const path of ["/other/api/0/info", "/other/tracker/api/0/info", "/other/api/", "/trackers/api/0/info"]) {
      assert.is(found(path, basePath), `beside ${path}`);
    }
  }
  assert.is(found("/tracker/tracker/api/0/info", "/tracker"), "beside /tracker/api/0/info");
  assert.is(found("/tracker", "/tracker"), "beside /");
  assert.is(found("/%74racker/api/0/info", "/tracker"), INFO);
});

test("a base path may look like the API itself, whether the embedder leaves it on or not", () => {
  assert.is(found("/api/0/api/0/info", "/api/0"), INFO);
  assert.is(found("/api/0/info", "/api"), INFO);
  assert.is(found("/api/api/0/info", "/api"), INFO);
  assert.is(found("/api/", "/api"), "beside /");
});

test("where there is nothing, a client is told about the base path", () => {
  const missing = (path: string, basePath: string | undefined): string => createRouter([ALL], basePath)(path).missing;
  for (const path of ["/tracker/api/0/info", "/api/0/nothing"]) assert.match(missing(path, undefined), "set basePath");
  assert.match(missing("/other/api/0/info", "/tracker"), /basePath is \/tracker$/);
  for (const path of ["/tracker/nothing", "/tracker"]) assert.not.match(missing(path, "/tracker"), "basePath");
  for (const path of ["/nothing", "*"]) assert.not.match(missing(path, ""), "basePath");
});

test.run();
