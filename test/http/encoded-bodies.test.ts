// Bodies of another type than JSON, compressed, or in another encoding than UTF-8; docs/reference/api.md#over-http
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, type Send, withServer } from "../harness.js";
import { event, json, refusal } from "./client.js";

const test = suite("encoded bodies");

const JSON_TYPE = { "content-type": "application/json" };
const DOCUMENT = { buckets: { imported: { ...BUCKET, events: [event(0)] } } };

/** Each kind of body, at its route. */
const WAYS: readonly (readonly [path: string, body: unknown])[] = [
  ["/api/0/buckets/b/heartbeat?pulsetime=9", event(0)],
  ["/api/0/buckets/b/events", [event(0)]],
  ["/api/0/buckets/b/events", Array.from({ length: 20_000 }, () => event(0))],
  ["/api/0/settings/k", "text"],
  ["/api/0/import", DOCUMENT],
];

async function withCount(body: (send: Send, count: () => Promise<number>) => Promise<void>): Promise<void> {
  await withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await body(send, () => server.events.count("b"));
    assert.is((await server.buckets.list()).length, 1);
  });
}

test("a compressed body gets 415, with or without the header that says so", () =>
  withCount(async (send, count) => {
    for (const [path, body] of WAYS) {
      const text = JSON.stringify(body);
      const encoded = { "content-encoding": "gzip", ...JSON_TYPE };
      assert.match(refusal(await send("POST", path, gzipSync(text), encoded), 415), /Content-Encoding gzip/);
      assert.match(refusal(await send("POST", path, gzipSync(text), JSON_TYPE), 415), /compressed with gzip/);
      for (const [name, bytes] of [
        ["br", brotliCompressSync(text)],
        ["deflate", deflateSync(text)],
      ] as const) {
        const refused = await send("POST", path, bytes, { "content-encoding": name, ...JSON_TYPE });
        assert.match(refusal(refused, 415), new RegExp(`Content-Encoding ${name} `));
      }
    }
    assert.is(await count(), 0);
  }));

test("a body is JSON by its type, or refused", () =>
  withCount(async (send) => {
    for (const type of ["APPLICATION/JSON; charset=utf-8", "application/x+json", " application/json ;a"]) {
      json(await send("POST", "/api/0/settings/k", "1", { "content-type": type }));
    }
    const others = ["application/json, text/plain", "multipart/mixed; boundary=x"];
    for (const type of ["", ";", "text/plain", "application/x-www-form-urlencoded", ...others]) {
      for (const path of ["/api/0/settings/k", "/api/0/import"]) {
        refusal(await send("POST", path, "1", { "content-type": type }), 415);
      }
    }
  }));

test("a form with a compressed document is refused", () =>
  withCount(async (send) => {
    const head = '--x\r\nContent-Disposition: form-data; name="f"; filename="f.json.gz"\r\n\r\n';
    const form = Buffer.concat([Buffer.from(head), gzipSync(JSON.stringify(DOCUMENT)), Buffer.from("\r\n--x--\r\n")]);
    const type = { "content-type": "multipart/form-data; boundary=x" };
    assert.match(refusal(await send("POST", "/api/0/import", form, type), 400), /compressed with gzip/);
    const encoded = { "content-encoding": "gzip", ...type };
    refusal(await send("POST", "/api/0/import", gzipSync(form), encoded), 415);
  }));

test("a body that is not compressed is read, whatever its header says", () =>
  withCount(async (send, count) => {
    for (const encoding of ["identity", "gzip"]) {
      const headers = { "content-encoding": encoding, ...JSON_TYPE };
      json(await send("POST", "/api/0/buckets/b/events", [event(0)], headers));
      json(await send("POST", "/api/0/settings/k", '"text"', headers));
      json(await send("POST", "/api/0/import", '\ufeff {"buckets": {}}', headers));
    }
    assert.is(await count(), 2);
    refusal(await send("POST", "/api/0/buckets/b/events", "", { "content-encoding": "gzip", ...JSON_TYPE }), 400);
  }));

test("a body in UTF-16 is named as such, and an import in it is read", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    for (const [path, body] of WAYS) {
      for (const mark of ["", "\ufeff"]) {
        const little = Buffer.from(mark + JSON.stringify(body), "utf16le");
        for (const bytes of [little, Buffer.from(little).swap16()]) {
          const answer = await send("POST", path, bytes, JSON_TYPE);
          if (path === "/api/0/import") json(answer);
          else assert.match(refusal(answer, 400), /the body is UTF-16 text; send UTF-8/);
        }
      }
    }
    assert.equal([await server.events.count("b"), await server.events.count("imported")], [0, 1]);
  }));

test.run();
