// How large the dashboard is, and what it is told. What it has in common with other pages: pages.test.ts
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { dashboardRoutes } from "../../src/http/dashboard.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import { createActivityServer } from "../../src/index.js";
import { header } from "../codec/socket.js";
import { recordingLogger, type Send, withServer } from "../harness.js";
import { json, present, refusal } from "./client.js";

const test = suite("the dashboard over HTTP");

/** What the page with all its views may weigh in English, compressed by gzip, in bytes. */
const MAX_BYTES = 245_000;
const TRANSLATION = /^\/assets\/(?:de|he)\./;

/** Every file that the page can load, by following the names that stand in page, scripts and styles. */
async function filesOf(send: Send, page = "/"): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const waiting = [page];
  for (const target of waiting) {
    if (files.has(target)) continue;
    const { status, body } = await send("GET", target);
    assert.is(status, 200, target);
    files.set(target, body);
    const base = target.slice(0, target.lastIndexOf("/") + 1);
    const names = target === page ? /"(assets\/[^"]+)"/g : /"\.\/([\w.-]+\.(?:js|css))"/g;
    for (const [, name] of body.toString().matchAll(names)) waiting.push(`${base}${name}`);
  }
  return files;
}

test("everything that the page can load is there, and all of it together is small", () =>
  withServer({}, async ({ send }) => {
    const files = await filesOf(send);
    const names = [...files.keys()];
    for (const name of ["main.js", "style.css", "de.js", "he.js", "fill.js"]) {
      const [stem, ending] = name.split(".");
      assert.ok(
        names.some((target) => new RegExp(`^/assets/${stem}\\.\\w+\\.${ending}$`).test(target)),
        name,
      );
    }
    let bytes = 0;
    for (const [target, content] of files) {
      // Of other languages a page loads one at most.
      if (!TRANSLATION.test(target)) bytes += gzipSync(content, { level: 9 }).length;
    }
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
    const listed = await send("GET", "/assets/LICENSES.txt");
    assert.match(listed.body.toString(), /^preact\n[\s\S]*Permission is hereby granted/);
  }));

test("options that cannot work are refused, with what is expected", () => {
  const refused = (dashboard: object) => {
    const create = () => createActivityServer({ storage: memory(), dashboard });
    try {
      create();
    } catch (error) {
      return error instanceof TypeError ? error.message : "another error";
    }
    return "accepted";
  };
  for (const [dashboard, message] of [
    [
      { titel: "x" },
      /^dashboard\.titel is not an option; the options are title, back, hiddenViews, language, frameAncestors$/,
    ],
    [{ title: " " }, /^dashboard\.title must be a string, got " "$/],
    [{ back: { href: "javascript:alert(1)", label: "x" } }, /^dashboard\.back must be \{ href, label \}/],
    [{ back: { href: "http://", label: "x" } }, /^dashboard\.back must be/],
    [{ back: "/" }, /^dashboard\.back must be/],
    [{ hiddenViews: ["activity"] }, /^dashboard\.hiddenViews must be a list of "timeline", .*, got \["activity"\]$/],
    [{ language: "fr" }, /^dashboard\.language must be "en", "de", "he", got "fr"$/],
    [{ frameAncestors: "self" }, /^dashboard\.frameAncestors must be a list of origins, "self" or "\*", got "self"$/],
    [{ frameAncestors: ["https://a.example/path"] }, /^dashboard\.frameAncestors/],
    [{ frameAncestors: ["self; script-src *"] }, /^dashboard\.frameAncestors/],
  ] as const) {
    assert.match(refused(dashboard), message);
  }
  const valid = { title: "T", back: { href: "https://a.example/b", label: "B" }, language: "he" };
  assert.is(
    refused({ ...valid, hiddenViews: [], frameAncestors: ["self", "https://*.a.example:8443", "*"] }),
    "accepted",
  );
  assert.is(refused({ title: undefined, frameAncestors: undefined }), "accepted");
});

test("both pages name the sites that may frame them", () =>
  withServer({ dashboard: { frameAncestors: ["self", "https://a.example"] } }, async ({ send }) => {
    for (const page of ["/", "/api/"]) {
      const policy = present(header(await send("GET", page), "content-security-policy"), "the policy");
      assert.match(policy, /; frame-ancestors 'self' https:\/\/a\.example$/);
    }
  }));

test("where data is kept is told to those with the key", () =>
  withServer({ apiKey: "secret" }, async ({ send }) => {
    refusal(await send("GET", "/server.json"), 401);
    const answer = await send("GET", "/server.json", undefined, { Authorization: "Bearer secret" });
    assert.equal(json(answer), { storage: "memory", durability: "nothing", assistants: false });
  }));

test("its files are opened when the first is asked for; without them the answer is 501 with the cause", async () => {
  let opened = 0;
  const { logger, warnings } = recordingLogger();
  const [page, asset] = dashboardRoutes(memory(), logger, {}, async () => {
    opened++;
    throw new Error("they are gone");
  });
  assert.is(opened, 0);
  const exchange = (accept?: string): RequestContext =>
    ({ path: "/", method: "GET", host: {}, search: "", header: () => accept }) as unknown as RequestContext;
  const context = { params: new Map([["asset", "main.js"]]) } as unknown as RouteContext;
  const cause = /the files of the dashboard are missing from this build of the program: keep the package/;
  for (const route of [present(page, "the page"), present(asset, "files")]) {
    const answer = await route.handle(exchange(), context);
    assert.is(answer.status, 501);
    assert.match(JSON.parse(String(answer.body)).message, cause);
    const readable = await route.handle(exchange("text/html,*/*"), context);
    assert.equal([readable.status, readable.headers["content-type"]], [501, "text/html; charset=utf-8"]);
    assert.match(String(readable.body), cause);
  }
  // Each request tries again; the log hears of it once.
  assert.is(opened, 4);
  assert.equal(warnings, ["the dashboard is not served: they are gone"]);
});

test("who opens an unknown address in a browser reads what is wrong, with the option that mends it", async () => {
  const html = { Accept: "text/html,application/xhtml+xml" };
  await withServer({}, async ({ send }) => {
    const answer = await send("GET", "/tracker/%3Cb%3E", undefined, html);
    assert.equal([answer.status, header(answer, "content-type")], [404, "text/html; charset=utf-8"]);
    assert.match(answer.body.toString(), /if the embedding program leaves a prefix on paths, set basePath/);
    for (const headers of [{}, { Accept: "*/*" }]) refusal(await send("GET", "/tracker", undefined, headers), 404);
    refusal(await send("GET", "/api/0/nothing", undefined, html), 404);
    refusal(await send("POST", "/tracker", {}, html), 404);
  });
  await withServer({ basePath: "/a&b" }, async ({ send }) => {
    assert.match((await send("GET", "/other", undefined, html)).body.toString(), /basePath is \/a&amp;b/);
  });
});

test.run();
