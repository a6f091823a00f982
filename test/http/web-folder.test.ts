// The folder of a web UI beside the API: its files, nothing outside it, and the API first.
import fs from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withFolder } from "../adapters/folder.js";
import { inTime, type Served, type ServedOptions, withServer } from "../harness.js";
import { words } from "../words.js";
import { json, refusal } from "./client.js";
import { ask, head, type RawAnswer } from "./raw.js";

const test = suite("the folder of a web UI");

const PAGE = "<!doctype html><title>page</title>";
const SECRET = "SECRET";
const SCRIPT = `console.log(${JSON.stringify("x".repeat(5000))});\n`;

interface Site extends Served {
  readonly folder: string;
  /** Sends a GET as it is written, with the Host `localhost`. */
  raw(target: string, ...headers: readonly string[]): Promise<RawAnswer | undefined>;
}

/** A folder `web` with some files, and secrets around it. */
function withSite(body: (site: Site) => Promise<void>, options: ServedOptions = {}): Promise<void> {
  return withFolder(async (base) => {
    const folder = path.join(base, "web");
    const files: Readonly<Record<string, string | Buffer>> = {
      "web/index.html": PAGE,
      "web/js/app.js": SCRIPT,
      "web/css/app.css": "body{}",
      "web/fonts/a.woff2": Buffer.from([0, 255, 1]),
      "web/logo.png": Buffer.from([137, 80, 78, 71]),
      "web/favicon.ico": Buffer.from([0, 0]),
      "web/manifest.json": "{}",
      "web/with space ü.txt": "text",
      "web/sub/index.html": "<p>sub",
      "web/api/0/info": "from the folder",
      "web/api/0/buckets.html": "from the folder",
      "web/apiary.txt": "no API",
      "web/empty.txt": "",
      "web/.env": SECRET,
      "web/.git/config": SECRET,
      "web/js/.hidden.js": SECRET,
      "web/page.js.gz": gzipSync("x"),
      "outside.txt": SECRET,
      "web-neighbour/file.txt": SECRET,
    };
    for (const [name, content] of Object.entries(files)) {
      await fs.mkdir(path.dirname(path.join(base, name)), { recursive: true });
      await fs.writeFile(path.join(base, name), content);
    }
    await fs.symlink(path.join(base, "outside.txt"), path.join(folder, "leak.txt"));
    await fs.symlink(base, path.join(folder, "up"));
    await fs.symlink(path.join(folder, ".env"), path.join(folder, "dot.txt"));
    await fs.symlink(path.join(folder, "js", "app.js"), path.join(folder, "inside.js"));
    await fs.symlink(path.join(folder, "circle"), path.join(folder, "circle"));
    await withServer({ webui: folder, ...options }, (served) => {
      const raw: Site["raw"] = (target, ...headers) =>
        inTime(ask(served.port, head(`GET ${target}`, "Host: localhost", "Connection: close", ...headers)), target);
      return body({ ...served, folder, raw });
    });
  });
}

const FILES: readonly (readonly [target: string, type: RegExp, content: string])[] = [
  ["/", /^text\/html; charset=utf-8$/, PAGE],
  ["/index.html", /^text\/html; charset=utf-8$/, PAGE],
  ["/?a=b", /^text\/html/, PAGE],
  ["//", /^text\/html/, PAGE],
  ["/js/app.js", /^text\/javascript; charset=utf-8$/, SCRIPT],
  ["//js//app.js", /^text\/javascript/, SCRIPT],
  ["/js/app.js?v=1", /^text\/javascript/, SCRIPT],
  ["/%6As/app%2Ejs", /^text\/javascript/, SCRIPT],
  ["/inside.js", /^text\/javascript/, SCRIPT],
  ["/css/app.css", /^text\/css/, "body{}"],
  ["/manifest.json", /^application\/json/, "{}"],
  ["/fonts/a.woff2", /^font\/woff2$/, "\u0000\u00ff\u0001"],
  ["/logo.png", /^image\/png$/, "\u0089PNG"],
  ["/favicon.ico", /^image\/(x-icon|vnd\.microsoft\.icon)$/, "\u0000\u0000"],
  ["/with%20space%20%C3%BC.txt", /^text\/plain/, "text"],
  ["/sub/", /^text\/html/, "<p>sub"],
  ["/apiary.txt", /^text\/plain/, "no API"],
  ["/empty.txt", /^text\/plain/, ""],
];

test("files come with their type and content, and with no policy but for frames", () =>
  withSite(async ({ raw }) => {
    for (const [target, type, content] of FILES) {
      const answer = await raw(target);
      assert.is(answer?.status, 200, target);
      const headers = new Map(answer?.headers);
      assert.match(headers.get("content-type") ?? "", type, target);
      assert.is(answer?.body.toString("latin1"), content, target);
      assert.is(headers.get("x-content-type-options"), "nosniff");
      const policy = type.test("text/html; charset=utf-8") ? "frame-ancestors 'self'" : undefined;
      assert.is(headers.get("content-security-policy"), policy, target);
    }
  }));

test("the page itself is asked for anew each time, also when it has not changed", () =>
  withSite(async ({ raw }) => {
    for (const target of ["/", "/index.html", "/sub/"]) {
      const first = new Map((await raw(target))?.headers);
      assert.is(first.get("cache-control"), "no-cache", target);
      for (const [condition, value] of [
        ["If-None-Match", first.get("etag")],
        ["If-Modified-Since", first.get("last-modified")],
      ]) {
        const again = await raw(target, `${condition}: ${value}`);
        assert.is(again?.status, 304, `${target} ${condition}`);
        assert.is(again?.body.length, 0);
        // What a 304 says replaces what the cache knows, and what it leaves out stays (RFC 9111, 3.2).
        assert.ok([undefined, "no-cache"].includes(new Map(again?.headers).get("cache-control")));
      }
    }
  }));

test("HEAD has the headers of GET and no body", () =>
  withSite(async ({ raw, port }) => {
    for (const target of ["/", "/js/app.js", "/logo.png", "/nothing.txt"]) {
      const get = await raw(target);
      const answer = await ask(port, head(`HEAD ${target}`, "Host: localhost", "Connection: close"), "HEAD");
      assert.is(answer?.status, get?.status);
      const named = (headers: RawAnswer["headers"] | undefined): unknown =>
        headers?.filter(([name]) => !["date", "transfer-encoding", "content-length"].includes(name)).sort();
      assert.equal(named(answer?.headers), named(get?.headers), target);
    }
  }));

const NOWHERE = words`/nothing /nothing.txt /js /js/ /fonts /index.html/ /index /INDEX.HTML /js/app.js/x /index.html%20
  /circle /api/0 /api/0/ /api/0/nothing /api/index.html /api/0/buckets.html //api/0/buckets.html`;

test("what is no file is 404 in JSON, and no list of a folder is shown", () =>
  withSite(async ({ raw }) => {
    for (const target of NOWHERE) {
      const answer = await raw(target);
      refusal(answer, 404);
      assert.match(new Map(answer?.headers).get("content-type") ?? "", /^application\/json/, target);
    }
  }));

const UP = words`.. %2e%2e %2E. .%2e ..%2f.. ..%5c.. ..\ %252e%252e ..; ... ..%00 %c0%ae%c0%ae`;
const TRAVERSALS = [
  ...UP.flatMap((up) => [`/${up}/outside.txt`, `/js/${up}/${up}/outside.txt`, `/${up}/web-neighbour/file.txt`]),
  ...words`/../web-neighbour/file.txt /..%2foutside.txt /..%5coutside.txt /..\outside.txt /js/..%2f..%2foutside.txt
    //etc/passwd ///etc/passwd /%2fetc/passwd /%2Fetc%2Fpasswd /\etc\passwd /file:///etc/passwd
    /leak.txt /up/outside.txt /up/web/index.html /up/ /dot.txt /js/../../outside.txt /C:/x /web-neighbour/file.txt
    /.env /%2eenv /.git/config /.git%2fconfig /js/.hidden.js /js/%2ehidden.js /.well-known /. /./.env
    /index.html%00 /index.html%00.png /%00 /outside.txt%00/index.html /% /%zz /%ff /%ed%a0%80 /index.html% /~root
    /proc/self/environ /dev/stdin`,
  ...[`/${"a/".repeat(5000)}`, `/${"a".repeat(5000)}`],
];

test("nothing outside the folder, no link out of it and no dot file is ever served", () =>
  withSite(async ({ raw, send }) => {
    for (const target of [...TRAVERSALS, ...TRAVERSALS.map((way) => `http://localhost${way}`)]) {
      const answer = await raw(target);
      assert.not.match(answer?.body.toString() ?? "", /SECRET|root:/, target);
      // Some spellings are another name of the page or of nothing.
      if (answer?.status !== 200) assert.ok([400, 404].includes(answer?.status ?? 0), `${target}: ${answer?.status}`);
      else assert.ok([PAGE, SCRIPT].includes(answer.body.toString()), target);
    }
    json(await send("GET", "/api/0/info"));
  }));

test("no spelling of a step up leads to a file of the folder that was not asked for", () =>
  withSite(async ({ raw }) => {
    for (const up of ["%2%65%2%65", "..%5c..", "%5c..", "..%2%66.."]) {
      refusal(await raw(`/css/${up}/js/app.js`), 404);
    }
  }));

test("a page has one name, and dot files have none", () =>
  withSite(async ({ raw, folder }) => {
    await fs.mkdir(path.join(folder, ".well-known"));
    for (const name of ["admin.html", "old.htm", ".well-known/security.txt", ".hidden.html"]) {
      await fs.writeFile(path.join(folder, name), PAGE);
    }
    for (const target of ["/admin.html", "/old.htm", "/index.html", "/", "/sub/"]) {
      assert.is((await raw(target))?.status, 200, target);
    }
    for (const target of words`/admin /admin/ /%61dmin /old /index /sub /sub/index /.hidden /.hidden.html
      /.well-known/security.txt /%2ewell-known/security.txt /.well-known`) {
      refusal(await raw(target), 404);
    }
  }));

test("the API comes first, and only GET and HEAD reach the files", () =>
  withSite(async ({ send, folder }) => {
    assert.is((json(await send("GET", "/api/0/info")) as { hostname: string }).hostname, "box");
    assert.equal(json(await send("GET", "/api/0/buckets")), {});
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE"]) {
      for (const target of ["/", "/index.html", "/js/app.js", "/new.txt"]) {
        const answer = await send(method, target, method === "TRACE" ? undefined : "x");
        assert.ok([404, 405].includes(answer.status), `${method} ${target}: ${answer.status}`);
        refusal(answer, answer.status);
      }
    }
    assert.is((await send("OPTIONS", "/index.html")).status, 204);
    assert.is(await fs.readFile(path.join(folder, "index.html"), "utf8"), PAGE);
  }));

test("the Host header is checked for files, too; origins and the API key are not", () =>
  withSite(
    async ({ send, port }) => {
      for (const host of ["evil.example", "", "localhost.evil.example"]) {
        refusal(await send("GET", "/index.html", undefined, { Host: host }), 400);
      }
      refusal(await ask(port, head("GET /js/app.js", "Connection: close")), 400);
      assert.is((await send("GET", "/", undefined, { Origin: "http://evil.example" })).status, 200);
      assert.is((await send("GET", "/js/app.js")).status, 200);
      refusal(await send("GET", "/api/0/buckets"), 401);
      refusal(await send("GET", "/api/0/nothing"), 401);
      refusal(await send("GET", "/%61pi/0/buckets"), 401);
    },
    { apiKey: "geheim" },
  ));

test("a folder that is not there is no reason to fail, and fetch() serves files as well", () =>
  withSite(async ({ server }) => {
    assert.is(await (await server.fetch(new Request("http://localhost/"))).text(), PAGE);
    assert.is(await (await server.fetch(new Request("http://localhost//js//app.js"))).text(), SCRIPT);
    await withServer({ webui: "/no/such/folder" }, async ({ send }) => {
      refusal(await send("GET", "/"), 404);
      json(await send("GET", "/api/0/info"));
    });
    await withServer({ webui: false }, async ({ send }) => void refusal(await send("GET", "/"), 404));
  }));

test.run();
