// A host that speaks HTTP/2.
import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer, Storage } from "../../src/index.js";
import { BUCKET, inTime, withListening, withServer } from "../harness.js";
import { event, until } from "../http/client.js";
import { fill, watched } from "../http/storages.js";

const test = suite("in node:http2");

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function ask(session: ClientHttp2Session, method: string, path: string, content?: unknown): Promise<Answer> {
  const stream = session.request({
    ":method": method,
    ":path": path,
    ...(content !== undefined && { "content-type": "application/json" }),
  });
  stream.end(content === undefined ? undefined : JSON.stringify(content));
  let headers: IncomingHttpHeaders = {};
  stream.on("response", (given) => {
    headers = given;
  });
  let body = "";
  for await (const piece of stream.setEncoding("utf8")) body += piece;
  return { status: Number(headers[":status"]), headers, body };
}

type Body = (session: ClientHttp2Session, server: ActivityServer) => Promise<void>;

async function withSession(storage: Storage, body: Body): Promise<void> {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", onWarning);
  try {
    await withServer({ door: "process", storage, basePath: "/tracker" }, ({ server }) => {
      const host = http2.createServer((request, response) => server.nodeHandler(request, response));
      return withListening(host, async (port) => {
        const session = http2.connect(`http://127.0.0.1:${port}`);
        try {
          await body(session, server);
        } finally {
          session.destroy();
        }
        await inTime(new Promise((resolve) => host.close(resolve)), "the host's end");
      });
    });
  } finally {
    process.off("warning", onWarning);
  }
  assert.equal(warnings, [], "warnings of the process");
}

test("requests are served, errors and empty answers as well", () =>
  withSession(memory(), async (session) => {
    const statuses: number[] = [];
    const send = async (...request: [method: string, path: string, content?: unknown]): Promise<Answer> => {
      const answer = await inTime(ask(session, ...request), request[1]);
      statuses.push(answer.status);
      return answer;
    };
    await send("POST", "/tracker/api/0/buckets/a%2Fb", BUCKET);
    await send("POST", "/tracker/api/0/buckets/a%2Fb", BUCKET);
    await send("POST", "/tracker/api/0/buckets/a%2Fb/heartbeat?pulsetime=60", event(0));
    const merged = await send("POST", "/tracker/api/0/buckets/a%2Fb/heartbeat?pulsetime=60", event(1));
    assert.is(JSON.parse(merged.body).duration, 60);
    const { body } = await send("GET", "/tracker/api/0/buckets/a%2Fb/events");
    assert.is(JSON.parse(body).length, 1);
    await send("HEAD", "/tracker/api/0/export");
    await send("OPTIONS", "/tracker/api/0/import");
    const refused = await send("PATCH", "/tracker/api/0/info");
    assert.type(JSON.parse(refused.body).message, "string");
    assert.type(refused.headers["allow"], "string");
    await send("GET", "/tracker/api/0/nothing");
    await send("GET", "/nothing");
    await send("POST", "/tracker/api/0/import", { buckets: {} });
    assert.equal(statuses, [200, 304, 200, 200, 200, 200, 204, 405, 404, 404, 200]);
  }));

test("a client that leaves half way ends the read", async () => {
  const inner = memory();
  await fill(inner, "b", 20_000, 1000);
  const storage = watched(inner);
  await withSession(storage, async (session) => {
    const stream = session.request({ ":path": "/api/0/export" });
    let taken = 0;
    stream.on("data", (piece: Buffer) => {
      taken += piece.length;
    });
    await until(() => taken > 500_000, "the answer came");
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await until(() => storage.reads.open === 0, "the read was ended");
    // The connection serves others.
    assert.is((await inTime(ask(session, "GET", "/api/0/info"), "info")).status, 200);
  });
});

test.run();
