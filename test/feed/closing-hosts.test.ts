// own process: whether anything listens is asked of the whole process

// An app that closes its own server, and does not close the activity server first: its open feeds end, so that it does.
import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener } from "node:http";
import http2 from "node:http2";
import net from "node:net";
import { getRequestListener } from "@hono/node-server";
import { H3, toNodeHandler } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { ACTIVITY } from "../../src/util/in-process.js";
import { inTime, listeningPort, withServer } from "../harness.js";

const test = suite("feeds of closing apps");

const BYE = /event: bye\n.*\n\n$/;

const APPS: Readonly<Record<string, (server: ActivityServer) => RequestListener>> = {
  "the request listener": ({ nodeHandler }) => nodeHandler,
  "the app of h3": ({ app }) => toNodeHandler(new H3().mount("/", app)) as RequestListener,
  "fetch() alone": ({ fetch }) => getRequestListener(fetch, { overrideGlobalObjects: false }),
};

for (const [name, listenerOf] of Object.entries(APPS)) {
  test(`${name}: feeds end when the app closes its server`, () =>
    withServer({ door: "process" }, async ({ server }) => {
      const app = http.createServer(listenerOf(server));
      const port = await listeningPort(app);
      const responses = await Promise.all(Array.from({ length: 3 }, () => openFeed(port)));
      const texts = responses.map(textOf);
      assert.is(server[ACTIVITY].running, 3);
      const closed = new Promise((resolve) => app.close(resolve));
      for (const text of texts) assert.match(await inTime(text, "a feed to end"), BYE);
      await inTime(closed, "the app to close");
      // The server itself has not been closed.
      assert.is(server[ACTIVITY].running, 0);
      for await (const { type } of server.feed()) {
        assert.is(type, "reset");
        break;
      }
    }));
}

test("a feed over HTTP/2 ends when the app closes its server", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const app = http2.createServer((request, response) => server.nodeHandler(request, response));
    const session = http2.connect(`http://127.0.0.1:${await listeningPort(app as never)}`);
    const stream = session.request({ ":path": "/api/0/feed" });
    await once(stream, "response");
    const text = textOf(stream);
    const closed = new Promise((resolve) => app.close(resolve));
    assert.match(await inTime(text, "the feed to end"), BYE);
    session.close();
    await inTime(closed, "the app to close");
  }));

test("a feed that was opened while nothing listened goes on", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const inProcess = await server.fetch(new Request("http://localhost/api/0/feed"));
    const app = http.createServer(server.nodeHandler);
    const text = textOf(await openFeed(await listeningPort(app)));
    app.close();
    assert.match(await inTime(text, "the feed to end"), BYE);
    assert.is(server[ACTIVITY].running, 1);
    await inProcess.body?.cancel();
  }));

test("a feed goes on whose connections another listener accepts", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const app = http.createServer(server.nodeHandler);
    const front = net.createServer((socket) => app.emit("connection", socket));
    const lasting = textOf(await openFeed(await listeningPort(front as never)));
    const other = http.createServer(server.nodeHandler);
    const ending = textOf(await openFeed(await listeningPort(other)));
    other.close();
    // One check looks at both.
    assert.match(await inTime(ending, "the feed to end"), BYE);
    assert.is(server[ACTIVITY].running, 1);
    const closed = new Promise((resolve) => front.close(resolve));
    assert.match(await inTime(lasting, "the feed of the listener to end"), BYE);
    await inTime(closed, "the listener to close");
  }));

async function openFeed(port: number): Promise<IncomingMessage> {
  const [response] = await once(http.get({ port, path: "/api/0/feed", agent: false }), "response");
  assert.is(response.statusCode, 200);
  return response as IncomingMessage;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += String(chunk);
  return text;
}

test.run();
