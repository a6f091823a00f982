// Paths that other programs on the way may read in another way.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, withServer } from "../harness.js";
import { words } from "../words.js";
import { json } from "./client.js";
import { ask, head } from "./raw.js";

const test = suite("odd paths");

test("a raw backslash or fragment in a path is refused: what stands in front may have seen another path", () =>
  withServer({ buckets: ["b"] }, async ({ port }) => {
    for (const target of words`/api\0\info /api/0/buckets\b /x\..\api/0/info /x/../api\0/info /x\
      http://localhost\api/0/info http://localhost/api\0/info /api/0/info# /api/0/info#/x /public#/../api/0/info`) {
      const answer = await ask(port, head(`GET ${target}`, "Host: localhost", "Connection: close"));
      assert.is(answer?.status, 400, target);
    }
  }));

test("an escaped backslash is a character of a name, and a raw one may be in a query string", () =>
  withServer({}, async ({ port, send }) => {
    json(await send("POST", "/api/0/buckets/a%5Cb", BUCKET));
    json(await send("GET", "/api/0/buckets/a%5Cb"));
    for (const target of ["/api/0/info?x=\\", "/./api/0/info?x=\\"]) {
      const answer = await ask(port, head(`GET ${target}`, "Host: localhost", "Connection: close"));
      assert.is(answer?.status, 200, target);
    }
  }));

test.run();
