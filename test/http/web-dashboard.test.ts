// The dashboard as HTTP: what is sent under which name, in which form, to whom. test/browser opens it.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import express from "express";
import { H3 } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { dashboardRoutes } from "../../src/http/dashboard.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import {
  type AccessDecision,
  ActivityError,
  type ActivityServerOptions,
  allow,
  createActivityServer,
} from "../../src/index.js";
import type { WireAnswer } from "../codec/socket.js";
import { json, present, refusal, type Send, sender, withServer } from "./client.js";
import { inlineHashes } from "./inline-scripts.js";

const test = suite("the dashboard over HTTP");

/** What the page with all its views may weigh in English, compressed by gzip, in bytes. */
const MOST_BYTES = 205_000;
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

function header(answer: WireAnswer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

test("the page is HTML that may load and call its own server alone", () =>
  withServer({}, async ({ send }) => {
    const answer = await send("GET", "/");
    assert.is(answer.status, 200);
    assert.is(header(answer, "content-type"), "text/html; charset=utf-8");
    assert.is(header(answer, "x-content-type-options"), "nosniff");
    assert.is(header(answer, "cache-control"), "no-cache");
    assert.is(header(answer, "referrer-policy"), "no-referrer");
    const policy = present(header(answer, "content-security-policy"), "the policy").split("; ").sort();
    assert.equal(policy, [
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      `script-src 'self' ${inlineHashes(answer.body.toString()).join(" ")}`,
      "style-src 'self'",
    ]);
    const page = answer.body.toString();
    assert.is(inlineHashes(page).length, 1);
    assert.not.match(page, /<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  }));

test("everything that the page can load is there, for ever, and all of it together is small", () =>
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
      if (target === "/") continue;
      const answer = await send("GET", target);
      assert.match(String(header(answer, "content-type")), /^text\/(javascript|css); charset=utf-8$/);
      assert.is(header(answer, "cache-control"), "public, max-age=31536000, immutable");
      assert.is(header(answer, "x-content-type-options"), "nosniff");
    }
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
    const listed = await send("GET", "/assets/LICENSES.txt");
    assert.match(listed.body.toString(), /^preact\n[\s\S]*Permission is hereby granted/);
    assert.is(header(listed, "cache-control"), "no-cache", "its name stays when it changes");
  }));

test("each file comes in the form that the client takes, with a tag of its own", () =>
  withServer({}, async ({ send }) => {
    for (const target of (await filesOf(send)).keys()) {
      const plain = await send("GET", target);
      const tags = new Set([header(plain, "etag")]);
      for (const [encoding, decode] of [
        ["br", brotliDecompressSync],
        ["gzip", gunzipSync],
      ] as const) {
        const answer = await send("GET", target, undefined, { "Accept-Encoding": encoding });
        assert.is(header(answer, "content-encoding"), encoding);
        assert.is(header(answer, "vary"), "Accept-Encoding");
        assert.ok(decode(answer.body).equals(plain.body), target);
        tags.add(header(answer, "etag"));
        const again = await send("GET", target, undefined, {
          ...{ "Accept-Encoding": encoding, "If-None-Match": String(header(answer, "etag")) },
        });
        assert.equal([again.status, again.body.length], [304, 0]);
      }
      assert.is(tags.size, 3);
      const head = await send("HEAD", target);
      assert.equal([head.status, head.body.length, header(head, "etag")], [200, 0, header(plain, "etag")]);
    }
  }));

test("names that are not listed lead nowhere, nor do other methods", () =>
  withServer({}, async ({ send }) => {
    const names = ["", "none", "index.html", "manifest.json", "main.js", "..%2findex.html", "..%2f..%2fcli.js", "%00"];
    for (const name of names) refusal(await send("GET", `/assets/${name}`), 404);
    for (const target of ["/index.html", "/nothing", "/assets", "/main.js"]) refusal(await send("GET", target), 404);
    refusal(await send("POST", "/", {}), 405);
    refusal(await send("DELETE", "/assets/LICENSES.txt"), 405);
  }));

test("with a key the page and its files are open, and say nothing; what it asks for is not", () =>
  withServer({ apiKey: "secret" }, async ({ send }) => {
    assert.ok((await filesOf(send)).size > 2);
    refusal(await send("GET", "/server.json"), 401);
    refusal(await send("GET", "/api/0/settings"), 401);
    const answer = await send("GET", "/server.json", undefined, { Authorization: "Bearer secret" });
    assert.equal(json(answer), { storage: "memory", durability: "nothing" });
  }));

test("the host and its rules are asked for the page as well", async () => {
  await withServer({}, async ({ send }) => {
    refusal(await send("GET", "/", undefined, { Host: "evil.example" }), 400);
    refusal(await send("GET", "/", undefined, { Origin: "http://evil.example" }), 403);
  });
  const authorize = ({ path: asked }: { readonly path: string }): AccessDecision => {
    if (asked !== "/") return allow();
    throw new ActivityError("NO_SUCH_ROUTE", "not here");
  };
  await withServer({ authorize }, async ({ send }) => {
    refusal(await send("GET", "/"), 404);
    assert.is((await send("GET", "/assets/LICENSES.txt")).status, 200);
  });
});

test("without it there is nothing beside the API", () =>
  withServer({ webui: false }, async ({ send }) => {
    for (const target of ["/", "/assets/LICENSES.txt", "/server.json"]) refusal(await send("GET", target), 404);
    json(await send("GET", "/api/0/info"));
  }));

test("under a base path it stands there, with and without a slash at the end", () =>
  withServer({ basePath: "/deep/tracker" }, async ({ send }) => {
    assert.ok((await filesOf(send, "/deep/tracker/")).size > 2);
    const { body } = await send("GET", "/deep/tracker/");
    for (const target of ["/deep/tracker", "/deep/tracker?a=b"]) {
      const answer = await send("GET", target);
      assert.equal([answer.status, answer.body], [200, body]);
    }
    json(await send("GET", "/deep/tracker/server.json"));
    refusal(await send("GET", "/deep/tracker/nothing"), 404);
  }));

/** Serves a host for the time of the body. */
async function withHost(listener: http.RequestListener, body: (send: Send) => Promise<void>): Promise<void> {
  const host = http.createServer(listener);
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const { send, close } = sender((host.address() as AddressInfo).port);
  try {
    await body(send);
  } finally {
    close();
    host.closeAllConnections();
    host.close();
  }
}

function mounted(options: Partial<ActivityServerOptions> = {}) {
  return createActivityServer({ storage: memory(), ...options });
}

test("a host that takes its prefix off gets it with and without the slash", async () => {
  const server = mounted();
  const host = express().use("/x/tra:cker", (request, response) => server.nodeHandler(request, response));
  await withHost(host, async (send) => {
    assert.is((await send("GET", "/x/tra:cker")).status, 200);
    assert.ok((await filesOf(send, "/x/tra:cker/")).size > 2);
    assert.is((await send("GET", "/x/other")).status, 404);
  });
  await server.close();
});

test("another h3 app and web-standard hosts serve it where they mount it", async () => {
  const server = mounted();
  const host = new H3().mount("/x", server.app);
  const ask = async (to: string): Promise<Response> => host.fetch(new Request(`http://localhost${to}`));
  const page = await (await ask("/x/")).text();
  const [, style] = /href="(assets\/[^"]+)"/.exec(page) ?? [];
  assert.is((await ask(`/x/${style}`)).status, 200);
  assert.is((await server.fetch(new Request("http://localhost/"))).status, 200);
  await server.close();
});

test("its files are opened when the first is asked for; without them the answer is 501 with the cause", async () => {
  let opened = 0;
  const warnings: unknown[] = [];
  const logger = { info() {}, error() {}, warn: (line: unknown) => void warnings.push(line) };
  const [page, asset] = dashboardRoutes(memory(), logger, async () => {
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
