// What a browser says of where a request comes from decides where there is no origin.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, type Headers, type Send, type ServedOptions, withServer } from "../harness.js";
import { words } from "../words.js";
import { json, refusal } from "./client.js";

const test = suite("fetch metadata");

function from(site: string, mode: string, dest: string, more: Headers = {}): Headers {
  return { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest, ...more };
}

function withTheme(options: ServedOptions, body: (send: Send) => Promise<void>): Promise<void> {
  return withServer({ ...options, buckets: ["b"] }, async ({ send }) => {
    json(await send("POST", "/api/0/settings/theme", '"dark"'));
    await body(send);
  });
}

const READS = words`/api/0/buckets/b /api/0/buckets/none /api/0/settings /api/0/info /api/0/export /api/0/x`;
/** How a page of another site can load something without an origin. */
const LOADS: readonly (readonly [mode: string, dest: string])[] = [
  ["no-cors", "script"],
  ["no-cors", "image"],
  ["no-cors", "style"],
  ["no-cors", "object"],
  ["navigate", "object"],
  ["navigate", "embed"],
  ["navigate", "iframe"],
  ["navigate", "frame"],
  ["no-cors", "empty"],
  ["same-origin", "empty"],
  ["websocket", "websocket"],
];

test("what pages of other sites load is refused alike, whatever is there", () =>
  withTheme({}, async (send) => {
    for (const site of ["cross-site", "same-site"]) {
      for (const [mode, dest] of LOADS) {
        const answers = new Set<string>();
        for (const path of READS) {
          const headers = from(site, mode, dest);
          const answer = await send("GET", path, undefined, headers);
          answers.add(`${answer.status} ${answer.body}`);
          assert.is((await send("HEAD", path, undefined, headers)).status, 403);
        }
        assert.is(answers.size, 1, [...answers].join("\n"));
        assert.match([...answers].join(), /^403 /);
      }
    }
  }));

test("a link of another site may be followed to pages, and nothing be written by it", () =>
  withTheme({}, async (send) => {
    for (const site of ["cross-site", "same-site"]) {
      const headers = from(site, "navigate", "document");
      for (const path of ["/", "/api/", "/api/openapi.json"]) {
        assert.is((await send("GET", path, undefined, headers)).status, 200, path);
        assert.is((await send("HEAD", path, undefined, headers)).status, 200, path);
      }
      refusal(await send("POST", "/api/0/buckets/other", BUCKET, headers), 403);
      refusal(await send("DELETE", "/api/0/buckets/b?force=1", undefined, headers), 403);
      assert.is((await send("OPTIONS", "/api/0/buckets/b", undefined, headers)).status, 403);
    }
  }));

test("every link of another site into the API gets the same answer, whatever is there and whoever asks", () =>
  withServer({ apiKey: "secret" }, async ({ send }) => {
    json(await send("POST", "/api/0/buckets/b", BUCKET, { Authorization: "Bearer secret" }));
    const answers = new Set<string>();
    const paths = [...READS, "/api/0", "/api/0/", "//api//0/export", "/%61pi/0/buckets/b", "/api/0/buckets/%zz"];
    for (const site of ["cross-site", "same-site"]) {
      for (const path of [...paths, "/api/0/search?filter=a&regex=(a%2B)%2B", "/api/0/buckets/b?x"]) {
        for (const more of [{}, { Accept: "text/html" }, { Authorization: "Bearer secret" }]) {
          const answer = await send("GET", path, undefined, from(site, "navigate", "document", more));
          answers.add(`${answer.status} ${answer.headers["content-type"]} ${answer.body}`);
        }
      }
    }
    assert.is(answers.size, 1, [...answers].join("\n"));
    assert.match([...answers].join(), /^403 application\/json/);
  }));

test("links of trusted sites reach the API, and others are told what links reach", () => {
  const options = { cors: ["https://friend.example"], corsRegex: ["http://x\\d\\.example"], testing: true };
  return withTheme(options, async (send) => {
    const follow = (referer: string | undefined, dest = "document") =>
      send(
        "GET",
        "/api/0/export",
        undefined,
        from("cross-site", "navigate", dest, referer ? { Referer: referer } : {}),
      );
    for (const site of ["https://friend.example", "http://x1.example", "http://localhost:27180"]) {
      assert.is((await follow(`${site}/`)).status, 200, site);
      assert.is((await follow(`${site}/`, "iframe")).status, 403, site);
    }
    const others = words`null * https://evil.example/https://friend.example/ https://friend.example.evil/
      https://evil@friend.example.evil/ moz-extension://x/ https://friend.example:1/ http://friend.example/`;
    for (const referer of [undefined, "", ...others]) {
      const answer = await follow(referer);
      refusal(answer, 403);
      assert.match(answer.body.toString(), "links of other sites reach pages only; open the address yourself", referer);
    }
  });
});

test("pages keep no connection to the page that opened them", () =>
  withTheme({}, async (send) => {
    for (const path of ["/", "/api/", "/nothing"]) {
      const answer = await send("GET", path, undefined, { Accept: "text/html" });
      assert.is(answer.headers["cross-origin-opener-policy"], "same-origin", path);
    }
  }));

const SPECULATION: readonly Headers[] = [
  { "Sec-Purpose": "prefetch" },
  { "Sec-Purpose": "prefetch;prerender" },
  { "Sec-Purpose": "prefetch;anonymous-client-ip" },
  { Purpose: "prefetch" },
  { Purpose: "Preview" },
];

test("what a browser fetches before anybody wants it is refused in the API, and never shown as a page", () =>
  withTheme({}, async (send) => {
    for (const headers of SPECULATION) {
      for (const path of [...READS, "/api/", "//api/0/export"]) {
        const sent = { ...from("none", "navigate", "document"), ...headers };
        assert.is((await send("GET", path, undefined, sent)).status, 403, path);
      }
      assert.is((await send("POST", "/api/0/settings/theme", '"light"', headers)).status, 403);
    }
    const prerender = { "Sec-Purpose": "prefetch;prerender" };
    // Its calls of the API would fail.
    assert.is((await send("GET", "/", undefined, prerender)).status, 403);
    // Web UIs fetch their own files ahead.
    assert.is((await send("GET", "/", undefined, { "Sec-Purpose": "prefetch" })).status, 200);
  }));

test("pages of this server, what people type, and other programs are not asked", () =>
  withTheme({}, async (send) => {
    const sources = [from("same-origin", "cors", "empty"), from("none", "navigate", "document"), {}];
    for (const headers of [...sources, { "Sec-Fetch-Mode": "cors" }]) {
      for (const path of READS.slice(0, 1)) json(await send("GET", path, undefined, headers));
      json(await send("POST", "/api/0/settings/theme", '"light"', headers));
    }
  }));

test("where there is an origin it decides: trusted ones may do everything, preflights too", () =>
  withTheme({ cors: ["https://ui.example"] }, async (send) => {
    const headers = from("cross-site", "cors", "empty", { Origin: "https://ui.example" });
    json(await send("GET", "/api/0/buckets/b", undefined, headers));
    json(await send("POST", "/api/0/settings/theme", '"light"', headers));
    const preflight = { ...headers, "Access-Control-Request-Method": "PUT" };
    assert.is((await send("OPTIONS", "/api/0/buckets/b", undefined, preflight)).status, 204);
    const foreign = { ...headers, Origin: "https://other.example" };
    refusal(await send("GET", "/api/0/buckets/b", undefined, foreign), 403);
    refusal(await send("POST", "/api/0/settings/theme", '"light"', foreign), 403);
  }));

test("a request that only an extension can send, without origin, may ask what a watcher asks", () =>
  withTheme({}, async (send) => {
    const headers = from("cross-site", "cors", "empty");
    json(await send("GET", "/api/0/info", undefined, headers));
    refusal(await send("GET", "/api/0/buckets/b", undefined, headers), 403);
    refusal(await send("POST", "/api/0/buckets/b", BUCKET, headers), 403);
  }));

test("where every origin is trusted, so is one that is not told", () =>
  withTheme({ cors: ["*"] }, async (send) => {
    json(await send("GET", "/api/0/buckets/b", undefined, from("cross-site", "no-cors", "image")));
  }));

test("files beside the API can be linked to and loaded", () =>
  withTheme({}, async (send) => {
    assert.is((await send("GET", "/", undefined, from("cross-site", "navigate", "document"))).status, 200);
    assert.is((await send("GET", "/nothing", undefined, from("cross-site", "no-cors", "image"))).status, 404);
  }));

test.run();
