import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Resource, resourcesOf } from "../../src/http/route.js";
import { createRouter } from "../../src/http/router.js";

const test = suite("router");

const PATHS = [
  "/api/0/info",
  "/api/0/buckets",
  "/api/0/buckets/:bucketId",
  "/api/0/buckets/:bucketId/events",
  "/api/0/buckets/:bucketId/events/count",
  "/api/0/buckets/:bucketId/events/:eventId",
  "/api/0/settings/:key",
];
const RESOURCES: Iterable<Resource> = resourcesOf(
  PATHS.map((path) => ({ method: "GET", path, summary: "", handle: () => Promise.reject(new Error("not called")) })),
).values();
const ALL = [...RESOURCES];

/** What a path leads to, in words. */
function found(path: string, basePath?: string, isAtRoot?: boolean): string {
  const { target, rawParams, path: below } = createRouter(ALL, basePath)(path, isAtRoot);
  if (typeof target === "string") return `${target} ${below}`;
  return [target.path, ...Object.entries(rawParams).map(([name, value]) => `${name}=${value}`)].join(" ");
}

const INFO = "/api/0/info";
const EVENTS = "/api/0/buckets/:bucketId/events bucketId=";

/** Paths of a server that has not been told its prefix. */
const LED: readonly (readonly [path: string, leadsTo: string])[] = [
  ["/api/0/info", INFO],
  ["/api/0/info/", INFO],
  ["//api//0/info", INFO],
  ["/tracker/api/0/info", INFO],
  ["/tracker//api/0/info/", INFO],
  ["/a/b/c/api/0/info", INFO],
  ["/api/tracker/api/0/info", INFO],
  ["/api/api/0/info", INFO],
  ["/tracker/api/0/buckets/a%2Fb/events", `${EVENTS}a%2Fb`],
  ["/tracker/api/0/buckets/api/events", `${EVENTS}api`],
  ["/api/0/buckets/api/events", `${EVENTS}api`],
  ["/api/0/buckets/%2Fapi%2F0%2Finfo/events", `${EVENTS}%2Fapi%2F0%2Finfo`],
  ["/tracker/api/0/buckets/tracker/events", `${EVENTS}tracker`],
  ["/api/0/buckets/b/events/count", "/api/0/buckets/:bucketId/events/count bucketId=b"],
  ["/api/0/buckets/b/events/5", "/api/0/buckets/:bucketId/events/:eventId bucketId=b eventId=5"],
  ["/api/0/settings/api", "/api/0/settings/:key key=api"],
  ["/tracker/api/0/nothing", "unknown /api/0/nothing"],
  ["/tracker/api/0", "unknown /api/0"],
  ["/tracker/api/", "unknown /api/"],
  ["/tracker/api", "unknown /api"],
  ["/api", "unknown /api"],
  ["/api/", "unknown /api/"],
  ["/api/1/info", "unknown /api/1/info"],
  ["/%61pi/0/in%66o", INFO],
  ["/%61pi/0/nothing", "unknown /api/0/nothing"],
  ["/API/0/info", "beside /API/0/info"],
  ["/tracker/", "beside /tracker/"],
  ["/", "beside /"],
  ["/apiary", "beside /apiary"],
  ["/my-api/0/info", "beside /my-api/0/info"],
  ["/js/app.js", "beside /js/app.js"],
];

for (const [path, leadsTo] of LED) test(`${path} leads to ${leadsTo}`, () => assert.is(found(path), leadsTo));

test("a prefix that is told is cut from pages as well, on whole segments", () => {
  assert.is(found("/tracker/js/app.js", "/tracker"), "beside /js/app.js");
  assert.is(found("/tracker/", "/tracker"), "beside /");
  assert.is(found("/tracker/assets/api/client.js", "/tracker"), "beside /assets/api/client.js");
  assert.is(found("/tracker", "/tracker"), "beside /");
  assert.is(found("/trackers/", "/tracker"), "beside /trackers/");
  assert.is(found("/js/app.js", "/tracker"), "beside /js/app.js");
  assert.is(found("/tracker/api/0/info", "/tracker"), INFO);
  assert.is(found("/api/0/info", "/tracker"), INFO);
  assert.is(found("/elsewhere/api/0/info", "/tracker"), INFO);
});

test("a prefix that is told may look like the API itself", () => {
  assert.is(found("/api/0/api/0/info", "/api/0"), INFO);
  assert.is(found("/api/0/info", "/api"), INFO);
  assert.is(found("/api/api/0/info", "/api"), INFO);
});

test("nothing is cut where it is told that there is no prefix", () => {
  for (const [basePath, isAtRoot] of [
    ["", false],
    ["", true],
    [undefined, true],
  ] as const) {
    for (const [path, leadsTo] of LED.filter(([path]) => /^\/+api\/+0/.test(path))) {
      assert.is(found(path, basePath, isAtRoot), leadsTo);
    }
    for (const path of ["/tracker/api/0/info", "/a/api/0/info", "/tracker/api/"]) {
      assert.is(found(path, basePath, isAtRoot), `beside ${path}`);
    }
    assert.is(found("/api/api/0/info", basePath, isAtRoot), "unknown /api/api/0/info");
  }
});

test("at the root only the prefix that was told is cut", () => {
  assert.is(found("/tracker/api/0/info", "/tracker", true), INFO);
  assert.is(found("/api/0/info", "/tracker", true), INFO);
  assert.is(found("/tracker/js/app.js", "/tracker", true), "beside /js/app.js");
  assert.is(found("/other/api/0/info", "/tracker", true), "beside /other/api/0/info");
});

test.run();
