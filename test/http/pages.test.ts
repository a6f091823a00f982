// The pages of the package as HTTP: what is sent under which name, in which form, to whom. test/browser opens them.
import fs from "node:fs";
import { gunzipSync } from "node:zlib";
import express from "express";
import { H3 } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type AccessDecision, allow, deny } from "../../src/index.js";
import { header } from "../codec/socket.js";
import { onPort, type Send, withServer } from "../harness.js";
import { words } from "../words.js";
import { present, refusal } from "./client.js";
import { inlineHashes } from "./inline-scripts.js";

const test = suite("pages over HTTP");

/** The pages, with a file of each whose name stays, and the option that switches the page off. */
const PAGES = [
  { page: "/", kept: "/assets/LICENSES.txt", off: { webui: false } },
  { page: "/api/", kept: "/api/assets/NOTICE", off: { apiBrowser: false } },
] as const;

/** What a page loads, by the names that stand in it. */
async function loadedBy(send: Send, page: string): Promise<string[]> {
  const { status, body } = await send("GET", page);
  assert.is(status, 200, page);
  const names = [...body.toString().matchAll(/"([^"\s]*assets\/[^"]+)"/g)].map(
    ([, name]) => new URL(`${name}`, `http://localhost${page}`).pathname,
  );
  assert.ok(names.length > 2, page);
  return names;
}

for (const { page, kept, off } of PAGES) {
  test(`${page} is HTML that may load and call its own server alone`, () =>
    withServer({}, async ({ send }) => {
      const answer = await send("GET", page);
      assert.is(header(answer, "content-type"), "text/html; charset=utf-8");
      assert.is(header(answer, "x-content-type-options"), "nosniff");
      assert.is(header(answer, "cache-control"), "no-cache");
      assert.is(header(answer, "referrer-policy"), "no-referrer");
      const html = answer.body.toString();
      // Only an address that an embedder may have shortened leaves it open whether its slash is there.
      assert.is(inlineHashes(html).length, page === "/" ? 1 : 0);
      assert.equal(present(header(answer, "content-security-policy"), "the policy").split("; ").sort(), [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        ["script-src 'self'", ...inlineHashes(html)].join(" "),
        "style-src 'self'",
      ]);
      assert.not.match(html, /<style|\sstyle=|\son\w+=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    }));

  if (page === "/")
    test("the docs name the hash of its script", () =>
      withServer({}, async ({ send }) => {
        const [hash = ""] = inlineHashes((await send("GET", page)).body.toString());
        assert.ok(fs.readFileSync("docs/guides/embedding.md", "utf8").includes(hash), hash);
      }));

  test(`${page} and its files come in the form that the client takes, with a tag of its own, and once`, () =>
    withServer({}, async ({ send }) => {
      for (const target of [page, ...(await loadedBy(send, page))]) {
        const plain = await send("GET", target);
        assert.is(header(plain, "content-encoding"), undefined);
        const accept = { "Accept-Encoding": "gzip, deflate, br" };
        const answer = await send("GET", target, undefined, accept);
        assert.equal([header(answer, "content-encoding"), header(answer, "vary")], ["gzip", "Accept-Encoding"]);
        assert.ok(gunzipSync(answer.body).equals(plain.body) && answer.body.length < plain.body.length, target);
        const tag = present(header(answer, "etag"), "the tag");
        assert.is.not(tag, header(plain, "etag"));
        for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const again = await send("GET", target, undefined, { ...accept, "If-None-Match": known });
          assert.equal([again.status, again.body.length, header(again, "etag")], [304, 0, tag]);
        }
        assert.is((await send("GET", target, undefined, { "If-None-Match": tag })).status, 200);
        const head = await send("HEAD", target);
        assert.equal([head.status, head.body.length], [200, 0]);
        for (const name of words`content-length content-type etag cache-control content-security-policy`) {
          assert.is(header(head, name), header(plain, name), `${target} ${name}`);
        }
        if (target === page) continue;
        assert.match(target, /\/assets\/[\w-]+\.\w{8,16}\.(js|css)$/);
        const type = `text/${target.endsWith("css") ? "css" : "javascript"}; charset=utf-8`;
        assert.is(header(plain, "content-type"), type);
        assert.is(header(plain, "cache-control"), "public, max-age=31536000, immutable");
        assert.is(header(plain, "x-content-type-options"), "nosniff");
      }
      const lasting = await send("GET", kept);
      assert.equal([lasting.status, header(lasting, "cache-control")], [200, "no-cache"]);
    }));

  test(`of ${page} only names of the list are served, and nothing but reading is offered`, () =>
    withServer({}, async ({ send }) => {
      for (const name of [
        ...["", "none", "files.js", "manifest.json", "index.html", "index.html.br", "main.js", "license", "%00"],
        ...["..%2findex.html", "%2e%2e%2f%2e%2e%2fpackage.json", "..%5cfiles.js", "%2fetc%2fpasswd", "a/LICENSE"],
        ...["constructor", "__proto__", `${kept.split("/").at(-1)}.gz`],
      ]) {
        refusal(await send("GET", `${page}assets/${name}`), 404);
      }
      refusal(await send("GET", `${page}assets`), 404);
      assert.is((await send("GET", kept.replace("L", "%4C").replace("N", "%4E"))).status, 200, "another spelling");
      for (const method of ["POST", "PUT", "DELETE"]) {
        for (const target of [page, kept]) {
          const refused = await send(method, target, {});
          refusal(refused, 405);
          assert.is(header(refused, "allow"), "GET, HEAD, OPTIONS");
        }
      }
    }));

  test(`${page} needs no key, but obeys the rules for hosts and origins, and what the host says`, async () => {
    await withServer({ apiKey: "secret" }, async ({ send }) => {
      for (const target of await loadedBy(send, page)) assert.is((await send("GET", target)).status, 200);
      refusal(await send("GET", "/api/0/settings"), 401);
    });
    await withServer({}, async ({ send }) => {
      for (const target of [page, kept]) {
        refusal(await send("GET", target, undefined, { Host: "evil.example" }), 400);
        refusal(await send("GET", target, undefined, { Origin: "https://evil.example" }), 403);
        refusal(await send("GET", target, undefined, { Origin: "moz-extension://any" }), 403);
      }
    });
    const authorize = ({ route }: { readonly route?: string | undefined }): AccessDecision =>
      route?.endsWith(":asset") ? deny() : allow();
    await withServer({ authorize }, async ({ send }) => {
      assert.is((await send("GET", page)).status, 200);
      refusal(await send("GET", kept), 403);
    });
  });

  test(`to a page of another origin that may call it, what ${page} loads is kept apart by origin`, () =>
    withServer({ cors: ["https://pages.example"] }, async ({ send }) => {
      const answer = await send("GET", kept, undefined, { Origin: "https://pages.example" });
      assert.is(header(answer, "access-control-allow-origin"), "https://pages.example");
      assert.equal(header(answer, "vary")?.split(", "), ["Accept-Encoding", "Origin"]);
    }));

  test(`switched off there is nothing at ${page}`, () =>
    withServer(off, async ({ send }) => {
      for (const target of [page, kept]) refusal(await send("GET", target), 404);
    }));

  test(`${page} loads its files with a slash at the end and without, below a prefix, and has no script within`, () =>
    withServer({ door: "process", basePath: "/left/on" }, async ({ server }) => {
      const host = express();
      host.use("/x/strip:ped", (request, response) => server.nodeHandler(request, response));
      host.use((request, response) => server.nodeHandler(request, response));
      await onPort(host, async ({ send }) => {
        for (const prefix of ["/x/strip:ped", "/left/on"]) {
          const withSlash = `${prefix}${page}`;
          // A redirect to the slash could loop, since some frameworks redirect away from it.
          const [one, other] = [await loadedBy(send, withSlash), await loadedBy(send, withSlash.slice(0, -1))];
          assert.equal(one, other);
          for (const target of one) assert.is((await send("GET", target)).status, 200, target);
          for (const place of [withSlash, withSlash.slice(0, -1)]) {
            const answer = await send("GET", place);
            assert.equal(inlineHashes(answer.body.toString()), [], place);
            assert.match(present(header(answer, "content-security-policy"), "the policy"), /script-src 'self';/);
          }
          refusal(await send("GET", `${prefix}/nothing`), 404);
        }
      });
    }));

  test(`the path of ${page} in its links cannot leave them`, () =>
    withServer({ door: "process" }, async ({ server }) => {
      const host = express();
      host.use((request, response) => {
        server.nodeHandler(Object.assign(request, { originalUrl: '/x/">&<i' }), response);
      });
      await onPort(host, async ({ send }) => {
        const html = (await send("GET", page)).body.toString();
        assert.match(html, 'src="./&quot;&gt;&amp;&lt;i/assets/');
        assert.not.match(html, '">&<i');
      });
    }));

  test(`by fetch ${page} is the same, byte for byte, and compressed only if that is asked for`, () =>
    withServer({ precompressed: true }, async ({ send, server }) => {
      await withServer({ door: "process" }, async ({ server: other }) => {
        const mounted = new H3().mount("/x", other.app);
        for (const target of [page, ...(await loadedBy(send, page))]) {
          const headers = { "Accept-Encoding": "gzip" };
          const wire = await send("GET", target, undefined, headers);
          const answer = await server.fetch(target, { headers });
          assert.equal(Buffer.from(await answer.arrayBuffer()), wire.body);
          for (const field of words`content-type content-encoding etag cache-control content-security-policy`) {
            assert.is(answer.headers.get(field) ?? undefined, header(wire, field), field);
          }
          const { body } = await send("GET", target);
          for (const plain of [await other.fetch(target, { headers }), await askMounted(mounted, target, headers)]) {
            assert.is(plain.headers.get("content-encoding"), null);
            assert.equal(Buffer.from(await plain.arrayBuffer()), body);
          }
        }
      });
    }));
}

async function askMounted(app: H3, target: string, headers: Record<string, string>): Promise<Response> {
  return app.fetch(new Request(`http://localhost/x${target}`, { headers }));
}

test.run();
