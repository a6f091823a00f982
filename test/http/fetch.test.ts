// What fetch() of a server takes.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withServer } from "../harness.js";

const test = suite("fetch() of a server");

const INFO = "http://localhost/api/0/info";
const SETTING = "http://localhost/api/0/settings/k";
const POST = { method: "POST", headers: { "content-type": "application/json" }, body: "[1]" };

test("it takes requests, URLs, texts and paths, with and without an init", () =>
  withServer({}, async ({ server: { fetch } }) => {
    for (const input of [INFO, new URL(INFO), new Request(INFO), "/api/0/info", "https://any.example/api/0/info"]) {
      const answer = await fetch(input);
      assert.is(((await answer.json()) as { hostname: string }).hostname, "box", String(input));
    }
    for (const input of [SETTING, new URL(SETTING), new Request(SETTING), "/api/0/settings/k"]) {
      const answer = await fetch(input, POST);
      assert.equal([answer.status, await answer.json()], [200, [1]], String(input));
    }
  }));

test("what frameworks pass behind a request does not count", () =>
  withServer({}, async ({ server }) => {
    const fetch = server.fetch as (...given: readonly unknown[]) => Promise<Response>;
    const context = { params: Promise.resolve({ rest: [] }), waitUntil() {} };
    for (const rest of [[context], [{}, context], [undefined], [null], ["text"]]) {
      const answer = await fetch(new Request(SETTING, POST), ...rest);
      assert.equal([answer.status, await answer.json()], [200, [1]]);
    }
  }));

test("what is no request gets 400 with the reason, and nothing is logged", () =>
  withServer({}, async ({ server: { fetch }, errors }) => {
    const loose = fetch as (...given: readonly unknown[]) => Promise<Response>;
    for (const given of [
      [],
      [null],
      [5],
      [{ request: null }],
      [{ request: { url: "/" } }],
      [""],
      ["api/0/info"],
      ["http://"],
      [INFO, { body: "x" }],
      [INFO, { method: "a b" }],
      [INFO, { headers: { "a b": "c" } }],
    ]) {
      const answer = await loose(...given);
      assert.is(answer.status, 400, JSON.stringify(given));
      assert.match(((await answer.json()) as { message: string }).message, /^fetch\(\) needs a request: ./);
    }
    const broken = await loose({ url: "no URL", headers: {} });
    assert.ok(broken.status >= 400);
    assert.equal(Object.keys((await broken.json()) as object), ["message", "code"]);
    assert.ok(errors.splice(0).length <= 1);
  }));

test.run();
