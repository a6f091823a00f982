// Bodies that come slowly, break off, or are not as long as they say.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, inTime, type Served, withServer } from "../harness.js";
import { event, json, refusal, until } from "./client.js";
import { chunk, connect, head, jsonRequest, type RawConnection, withConnection } from "./raw.js";

const test = suite("bodies of requests");

/** Every route that reads a body, with a body that it takes. */
const ROUTES: readonly (readonly [line: string, body: unknown])[] = [
  ["POST /api/0/buckets/new", BUCKET],
  ["PUT /api/0/buckets/b", { type: "changed" }],
  ["POST /api/0/buckets/b/events", [event(0)]],
  ["POST /api/0/buckets/b/heartbeat?pulsetime=1", event(0)],
  ["POST /api/0/settings/key", "changed"],
  ["POST /api/0/import", { buckets: { imported: { ...BUCKET, events: [event(0)] } } }],
];

async function stateOf({ send }: Served): Promise<string> {
  const settings = await send("GET", "/api/0/settings");
  return (await send("GET", "/api/0/export")).body.toString() + settings.body.toString();
}

/** A request that the server has begun to serve, with the first half of its body sent. */
async function halfSent(port: number, line: string, body: string): Promise<RawConnection> {
  const connection = await connect(port);
  const request = jsonRequest(line, body, "Host: localhost", "Expect: 100-continue");
  const bodyStart = request.indexOf("\r\n\r\n") + 4;
  connection.write(request.slice(0, bodyStart));
  // Node says so when it hands the request over.
  assert.is((await connection.answer())?.status, 100);
  connection.write(request.slice(bodyStart, bodyStart + Math.floor(body.length / 2)));
  return connection;
}

for (const [line, value] of ROUTES) {
  const body = JSON.stringify(value);

  test(`a body byte by byte holds nobody up: ${line}`, () =>
    withServer({ buckets: ["b"] }, async ({ port, send }) => {
      await withConnection(port, async (connection) => {
        connection.socket.setNoDelay(true);
        const request = jsonRequest(line, body, "Host: localhost");
        const bodyStart = request.indexOf("\r\n\r\n") + 4;
        connection.write(request.slice(0, bodyStart));
        for (const byte of request.slice(bodyStart)) {
          connection.write(byte);
          if (byte === '"') json(await send("GET", "/api/0/buckets/b/events"));
        }
        assert.is((await inTime(connection.answer(), "the slow request"))?.status, 200);
      });
    }));

  test(`a body that breaks off, ends before its length or has a broken chunk changes nothing: ${line}`, () =>
    withServer({ buckets: ["b"] }, async (served) => {
      const before = await stateOf(served);
      for (const destroy of ["destroy", "resetAndDestroy"] as const) {
        const connection = await halfSent(served.port, line, body);
        connection.socket[destroy]();
        await connection.rest();
      }
      const ended = await halfSent(served.port, line, body);
      ended.socket.end();
      assert.not.match((await inTime(ended.rest(), "the connection")).toString(), / 200 OK| 500 /);
      await withConnection(served.port, async (connection) => {
        const lines = ["Host: localhost", "Content-Type: application/json", "Transfer-Encoding: chunked"];
        connection.write(head(line, ...lines));
        connection.write(Buffer.concat([chunk(body.slice(0, -1)), Buffer.from("zz\r\n}\r\n0\r\n\r\n")]));
        assert.match((await inTime(connection.rest(), "the connection")).toString(), /^HTTP\/1\.1 400 /);
      });
      json(await served.send("GET", "/api/0/info"));
      assert.is(await stateOf(served), before);
    }));

  test(`a body that goes on behind its length is cut there: ${line}`, () =>
    withServer({ buckets: ["b"] }, async ({ port, send }) => {
      await withConnection(port, async (connection) => {
        connection.write(`${jsonRequest(line, body, "Host: localhost")}}}}}\r\n\r\n`);
        // The rest is read as a next request, which is none: whatever is answered first, the connection ends.
        const rest = await inTime(connection.rest(), "the connection");
        assert.match(rest.toString(), /HTTP\/1\.1 400 /);
      });
      json(await send("GET", "/api/0/info"));
    }));
}

test("a request may break off before its answer was taken, and is carried out", () =>
  withServer({ buckets: ["b"] }, async ({ port, storage }) => {
    const connection = await connect(port);
    connection.write(jsonRequest("POST /api/0/buckets/b/events", JSON.stringify([event(0)]), "Host: localhost"));
    connection.socket.destroySoon();
    let count = 0;
    await until(() => {
      void storage.countEvents("b").then((now) => (count = now));
      return count === 1;
    }, "the event was stored");
  }));

test("a body of fetch() that fails is refused and changes nothing", () =>
  withServer({ buckets: ["b"] }, async (served) => {
    const before = await stateOf(served);
    for (const [line, value] of ROUTES) {
      const [method = "", path = ""] = line.split(" ");
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(bytes.subarray(0, bytes.length / 2)),
        pull: (controller) => controller.error(new Error("the network is gone")),
      });
      const init = { method, body: stream, duplex: "half", headers: { "content-type": "application/json" } };
      const answer = await checkedFetch(`http://localhost${path}`, init as RequestInit, served.server.fetch);
      refusal({ status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }, 400);
    }
    assert.is(await stateOf(served), before);
  }));

test.run();
