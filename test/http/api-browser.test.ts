// The API browser as HTTP: what is sent under which name, in which form, to whom. test/browser opens it.
import fs from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import express from "express";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ApiBrowserPage } from "../../src/http/api-browser.js";
import { type ActivityServerOptions, type Authorize, allow, createActivityServer, deny } from "../../src/index.js";
import type { WireAnswer } from "../codec/socket.js";
import { present, refusal, type Send, sender, withServer } from "./client.js";
import { inlineHashes } from "./inline-scripts.js";

const test = suite("the API browser over HTTP");

const LICENSES = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];

/** What the page loads, by the names that stand in it. */
async function loadedBy(send: Send, page = "/api/"): Promise<string[]> {
  const { status, body } = await send("GET", page);
  assert.is(status, 200);
  return [...body.toString().matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, name]) => present(name, "a name"));
}

function header(answer: WireAnswer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Sources that a policy lets in, by kind. */
function policyOf(answer: WireAnswer): ReadonlyMap<string, string> {
  const directives = present(header(answer, "content-security-policy"), "the policy").split("; ");
  return new Map(directives.map((text) => [text.slice(0, text.indexOf(" ")), text.slice(text.indexOf(" ") + 1)]));
}

/** Where something but the server itself is a source. */
const SOURCES: Readonly<Record<string, RegExp>> = {
  "img-src": /^'self' data:$/,
  "script-src": /^'self' 'sha256-[\w+/]+=*'$/,
};

test("the page is HTML that may load and call its own server alone", () =>
  withServer({}, async ({ send }) => {
    const answer = await send("GET", "/api/");
    assert.is(answer.status, 200);
    assert.is(header(answer, "content-type"), "text/html; charset=utf-8");
    assert.is(header(answer, "x-content-type-options"), "nosniff");
    assert.is(header(answer, "cache-control"), "no-cache");
    assert.is(header(answer, "referrer-policy"), "no-referrer");
    const policy = policyOf(answer);
    assert.is(policy.get("default-src"), "'none'");
    assert.is(policy.get("frame-ancestors"), "'none'");
    for (const [kind, sources] of policy) {
      assert.match(sources, SOURCES[kind] ?? /^'(none|self)'$/, kind);
    }
    const page = answer.body.toString();
    assert.equal(policy.get("script-src")?.split(" ").slice(1), inlineHashes(page));
    assert.not.match(page, /<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  }));

test("what the page loads is there, for ever, with its type", () =>
  withServer({}, async ({ send }) => {
    const names = await loadedBy(send);
    assert.is(names.length, 4);
    for (const name of names) {
      assert.match(name, /^assets\/[\w-]+\.[0-9a-f]{16}\.(js|css)$/);
      const answer = await send("GET", `/api/${name}`);
      assert.is(answer.status, 200);
      assert.is(header(answer, "content-type"), `text/${name.endsWith("css") ? "css" : "javascript"}; charset=utf-8`);
      assert.is(header(answer, "cache-control"), "public, max-age=31536000, immutable");
      assert.is(header(answer, "x-content-type-options"), "nosniff");
      assert.is(header(answer, "vary"), "Accept-Encoding");
      assert.is(header(answer, "content-length"), String(answer.body.length));
    }
  }));

test("the licenses of the library are served with it, and looked for again", () =>
  withServer({}, async ({ send }) => {
    for (const name of LICENSES) {
      const answer = await send("GET", `/api/assets/${name}`);
      assert.is(answer.status, 200);
      assert.is(header(answer, "content-type"), "text/plain; charset=utf-8");
      assert.is(header(answer, "cache-control"), "no-cache");
      const file = path.join("node_modules/swagger-ui-dist", name);
      assert.equal(answer.body, await fs.readFile(file));
    }
  }));

test("every file has the same content in each encoding, and the library is what its package has", () =>
  withServer({}, async ({ send }) => {
    for (const name of ["", ...(await loadedBy(send))]) {
      const plain = await send("GET", `/api/${name}`);
      const brotli = await send("GET", `/api/${name}`, undefined, { "Accept-Encoding": "gzip, deflate, br" });
      const gzip = await send("GET", `/api/${name}`, undefined, { "Accept-Encoding": "gzip" });
      assert.is(header(plain, "content-encoding"), undefined);
      assert.is(header(brotli, "content-encoding"), "br");
      assert.is(header(gzip, "content-encoding"), "gzip");
      assert.equal(brotliDecompressSync(brotli.body), plain.body);
      assert.equal(gunzipSync(gzip.body), plain.body);
      assert.ok(brotli.body.length < gzip.body.length && gzip.body.length < plain.body.length, name);
      assert.is(new Set([plain, brotli, gzip].map((answer) => header(answer, "etag"))).size, 3);
      const library = name.replace(/^assets\/|\.[0-9a-f]{16}/g, "");
      if (!library.startsWith("swagger-ui")) continue;
      assert.equal(plain.body, await fs.readFile(path.join("node_modules/swagger-ui-dist", library)));
    }
  }));

test("a client that has the page is told so", () =>
  withServer({}, async ({ send }) => {
    const tag = present(header(await send("GET", "/api/"), "etag"), "etag");
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await send("GET", "/api/", undefined, { "If-None-Match": known });
      assert.is(answer.status, 304, known);
      assert.is(answer.body.length, 0);
      assert.is(header(answer, "etag"), tag);
      assert.is(header(answer, "cache-control"), "no-cache");
    }
    assert.is((await send("GET", "/api/", undefined, { "If-None-Match": '"other"' })).status, 200);
    const otherForm = { "If-None-Match": tag, "Accept-Encoding": "br" };
    assert.is((await send("GET", "/api/", undefined, otherForm)).status, 200);
  }));

test("a page of another origin that may call it gets answers that are kept apart by origin, too", () =>
  withServer({ cors: ["https://pages.example"] }, async ({ send }) => {
    for (const name of await loadedBy(send)) {
      const answer = await send("GET", `/api/${name}`, undefined, { Origin: "https://pages.example" });
      assert.is(answer.status, 200);
      assert.is(header(answer, "access-control-allow-origin"), "https://pages.example");
      assert.equal(header(answer, "vary")?.split(", "), ["Accept-Encoding", "Origin"]);
    }
  }));

test("HEAD gives the headers, and nothing but reading is offered", () =>
  withServer({}, async ({ send }) => {
    for (const target of ["/api/", ...(await loadedBy(send)).map((name) => `/api/${name}`)]) {
      const [whole, head] = [await send("GET", target), await send("HEAD", target)];
      assert.is(head.status, 200);
      assert.is(head.body.length, 0);
      for (const name of ["content-length", "content-type", "etag", "cache-control", "content-security-policy"]) {
        assert.is(header(head, name), header(whole, name), `${target} ${name}`);
      }
      for (const method of ["POST", "PUT", "DELETE"]) {
        const refused = await send(method, target, {});
        refusal(refused, 405);
        assert.is(header(refused, "allow"), "GET, HEAD, OPTIONS");
      }
    }
  }));

test("only names of the list are served, whatever stands in the path", () =>
  withServer({}, async ({ send }) => {
    for (const name of [
      ...["", "files.js", "manifest.json", "index.html", "index.html.br", "LICENSE.gz", "license", "LICENSE%00"],
      ...["..%2ffiles.js", "%2e%2e%2f%2e%2e%2fpackage.json", "..%5cfiles.js", "%2fetc%2fpasswd", "a/LICENSE"],
      ...["constructor", "__proto__", "LICENSE/../files.js"],
    ]) {
      refusal(await send("GET", `/api/assets/${name}`), 404);
    }
    refusal(await send("GET", "/api/assets"), 404);
    assert.is((await send("GET", "/api/assets/LICENS%45")).status, 200, "another spelling of the same name");
  }));

/** Where `/api` leads a client that asked for a path. */
/** A redirect to the slash could loop, since some frameworks redirect away from it. */
async function sameWithoutSlash(send: Send, target: string): Promise<void> {
  const [without, withSlash] = [await send("GET", target), await send("GET", `${target}/`)];
  assert.equal([without.status, without.body], [200, withSlash.body], target);
}

test("/api and /api/ are the same page, below whatever prefix", async () => {
  await withServer({}, ({ send }) => sameWithoutSlash(send, "/api"));
  await withServer({ basePath: "/tracker" }, async ({ send }) => {
    await sameWithoutSlash(send, "/tracker/api");
    await sameWithoutSlash(send, "/api");
    for (const name of await loadedBy(send, "/tracker/api/")) {
      assert.is((await send("GET", `/tracker/api/${name}`)).status, 200);
    }
  });
});

test("it works where a host takes its prefix off, and where it leaves it on", async () => {
  const server = createActivityServer({ storage: memory(), basePath: "/left/on" });
  const host = express();
  host.use("/stripped", (request, response) => server.nodeHandler(request, response));
  host.use((request, response) => server.nodeHandler(request, response));
  const listener = http.createServer(host);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { send, close } = sender((listener.address() as AddressInfo).port);
  try {
    for (const prefix of ["/stripped", "/left/on"]) {
      await sameWithoutSlash(send, `${prefix}/api`);
      for (const name of await loadedBy(send, `${prefix}/api/`)) {
        assert.is((await send("GET", `${prefix}/api/${name}`)).status, 200, prefix);
      }
    }
  } finally {
    close();
    listener.close();
    listener.closeAllConnections();
    await server.close();
  }
});

test("by fetch it is the same, byte for byte, and compressed only if that is asked for", () =>
  withServer({ precompressed: true }, async ({ send, server }) => {
    for (const name of ["", ...(await loadedBy(send))]) {
      const headers = { "Accept-Encoding": "br" };
      const wire = await send("GET", `/api/${name}`, undefined, headers);
      const answer = await server.fetch(new Request(`http://localhost/api/${name}`, { headers }));
      assert.is(answer.status, 200);
      assert.equal(Buffer.from(await answer.arrayBuffer()), wire.body);
      for (const field of ["content-type", "content-encoding", "etag", "cache-control", "content-security-policy"]) {
        assert.is(answer.headers.get(field) ?? undefined, header(wire, field), field);
      }
      const plain = await send("GET", `/api/${name}`);
      const { app, fetch } = createActivityServer({ storage: memory() });
      for (const ask of [fetch, (request: Request) => app.fetch(request)]) {
        const uncompressed = await ask(new Request(`http://localhost/api/${name}`, { headers }));
        assert.is(uncompressed.headers.get("content-encoding"), null);
        assert.equal(Buffer.from(await uncompressed.arrayBuffer()), plain.body);
      }
    }
  }));

test("it needs no key, but obeys the rules for hosts and origins, and what the host says", async () => {
  await withServer({ apiKey: "secret" }, async ({ send }) => {
    for (const name of ["", ...(await loadedBy(send))]) assert.is((await send("GET", `/api/${name}`)).status, 200);
    refusal(await send("GET", "/api/assets/none"), 404);
    refusal(await send("GET", "/api/0/buckets"), 401);
  });
  await withServer({}, async ({ send }) => {
    for (const target of ["/api", "/api/", "/api/assets/NOTICE"]) {
      refusal(await send("GET", target, undefined, { Host: "evil.example" }), 400);
      refusal(await send("GET", target, undefined, { Origin: "https://evil.example" }), 403);
      refusal(await send("GET", target, undefined, { Origin: "moz-extension://any" }), 403);
    }
  });
  const asked: string[] = [];
  const authorize: Authorize = ({ path, route }) => {
    asked.push(`${path} ${route}`);
    return path === "/api" ? allow() : deny();
  };
  await withServer({ authorize }, async ({ send }) => {
    assert.is((await send("GET", "/api/")).status, 200);
    refusal(await send("GET", "/api/assets/NOTICE"), 403);
  });
  assert.equal(asked, ["/api /api", "/api/assets/NOTICE /api/assets/:asset"]);
});

test("switched off there is nothing", () =>
  withServer({ apiBrowser: false }, async ({ send }) => {
    for (const target of ["/api", "/api/", "/api/assets/NOTICE"]) refusal(await send("GET", target), 404);
  }));

test("a host may show a page of its own", async () => {
  const page: ApiBrowserPage = async ({ method, header, node }) =>
    new Response(`<p>${method} ${header("X-Name")} ${node?.url}`, {
      status: 203,
      headers: { "Content-Type": "text/html", "X-Own": "1" },
    });
  await withServer({ apiBrowser: page, apiKey: "secret" }, async ({ send, server }) => {
    const answer = await send("GET", "/api/", undefined, { "x-name": "ann" });
    assert.is(answer.status, 203);
    assert.is(answer.body.toString(), "<p>GET ann /api/");
    assert.is(header(answer, "content-type"), "text/html");
    assert.is(header(answer, "x-own"), "1");
    assert.is(header(answer, "content-security-policy"), undefined);
    const head = await send("HEAD", "/api/");
    assert.is(head.body.length, 0);
    assert.is(head.status, 203);
    assert.is((await send("GET", "/api")).body.toString(), "<p>GET undefined /api");
    refusal(await send("POST", "/api/", {}, { Authorization: "Bearer secret" }), 405);
    refusal(await send("GET", "/api/assets/NOTICE", undefined, { Authorization: "Bearer secret" }), 404);
    const fetched = await server.fetch(new Request("http://localhost/api/", { headers: { "X-Name": "bo" } }));
    assert.is(await fetched.text(), "<p>GET bo undefined");
  });
  const elsewhere: ApiBrowserPage = () => new Response(null, { status: 302, headers: { location: "/docs" } });
  await withServer({ apiBrowser: elsewhere }, async ({ send }) => {
    const answer = await send("GET", "/api/");
    assert.is(answer.status, 302);
    assert.is(header(answer, "location"), "/docs");
  });
});

test("a page of the host may set several cookies, over a socket, by fetch and to HEAD", async () => {
  const page: ApiBrowserPage = () => {
    const headers = new Headers({ "Content-Type": "text/html" });
    headers.append("Set-Cookie", "a=1; Expires=Fri, 01 Mar 2024 10:00:00 GMT");
    headers.append("Set-Cookie", "b=2; Path=/");
    return new Response("<p>", { headers });
  };
  const cookies = ["a=1; Expires=Fri, 01 Mar 2024 10:00:00 GMT", "b=2; Path=/"];
  await withServer({ apiBrowser: page }, async ({ send, server }) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, "/api/");
      assert.is(answer.status, 200);
      assert.equal(answer.headers["set-cookie"], cookies);
      assert.is(header(answer, "content-type"), "text/html");
      const fetched = await server.fetch(new Request("http://localhost/api/", { method }));
      assert.equal(fetched.headers.getSetCookie(), cookies);
      assert.is(fetched.headers.get("content-type"), "text/html");
    }
  });
});

test("a page of the host that fails is logged, and tells nobody why", async () => {
  const foreign = (status: number) => () => ({ ...{ status, headers: new Headers(), body: null }, arrayBuffer() {} });
  const broken = (): Response => new Response(new ReadableStream({ start: (sender) => sender.error("inner") }));
  for (const page of [
    ...[() => "<p>", () => undefined, () => Promise.reject(new Error("inner")), broken],
    ...[() => Response.error(), ...[0, 99, 101, 600, 1000, 200.5, Number.NaN].map(foreign)],
  ]) {
    await withServer({ apiBrowser: page as unknown as ApiBrowserPage }, async ({ send, errors }) => {
      assert.not.match(refusal(await send("GET", "/api/"), 500), /inner|Response/);
      assert.is(errors.splice(0).length, 1);
    });
  }
});

test("a mistaken setting is named", () => {
  for (const apiBrowser of ["yes", 1, null, {}]) {
    const make = (): unknown =>
      createActivityServer({ storage: memory(), apiBrowser } as unknown as ActivityServerOptions);
    assert.throws(make, /apiBrowser is .*; true, false or a function is expected/);
  }
});

test.run();
