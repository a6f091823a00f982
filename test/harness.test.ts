import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { onPort, withListening, withServer, withTestServer } from "./harness.js";
import { codeOf } from "./refusals.js";

const test = suite("harness");

function failing(): never {
  throw new Error("the test failed");
}

async function failureOf(run: Promise<unknown>): Promise<string> {
  return run.then(
    () => "nothing failed",
    (error: Error) => error.message,
  );
}

/** An idle connection, which would keep a server from closing. */
async function connected(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

function closeOf(socket: net.Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}

test("a server, its storage and its connections are closed when the test fails", async () => {
  let close: Promise<unknown> | undefined;
  let isClosed: () => Promise<string> = failing;
  const message = await failureOf(
    withServer({ buckets: ["b"] }, async ({ port, send, storage }) => {
      assert.is((await send("GET", "/api/0/buckets/b")).status, 200);
      const socket = await connected(port);
      socket.write("GET /api/0/info HTTP/1.1\r\n");
      close = closeOf(socket);
      isClosed = () => codeOf(storage.getBucket("b"));
      failing();
    }),
  );
  assert.is(message, "the test failed");
  await close;
  assert.is(await isClosed(), "STORAGE_CLOSED");
});

test("a test server is closed when the test fails", async () => {
  let isClosed: () => Promise<string> = failing;
  const run = withTestServer({}, async (server) => {
    isClosed = () => codeOf(server.buckets.list());
    failing();
  });
  assert.is(await failureOf(run), "the test failed");
  assert.is(await isClosed(), "STORAGE_CLOSED");
});

test("other servers and their connections are closed when the test fails", async () => {
  for (const listen of [
    (body: (port: number) => Promise<never>) => withListening(net.createServer(), body),
    (body: (port: number) => Promise<never>) =>
      onPort(
        () => {},
        ({ port }) => body(port),
      ),
  ]) {
    let close: Promise<unknown> | undefined;
    const run = listen(async (port) => {
      close = closeOf(await connected(port));
      return failing();
    });
    assert.is(await failureOf(run), "the test failed");
    await close;
  }
});

test("a logged error fails the test", async () => {
  const authorize = (): never => failing();
  const logged = withServer({ door: "process", authorize }, async ({ send }) => {
    assert.is((await send("GET", "/api/0/buckets")).status, 500);
  });
  assert.match(await failureOf(logged), "the log of errors");
});

test("no test file has a `withServer` of its own", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const own = files.filter((name) =>
    /function (?:withServer)\b/.test(fs.readFileSync(path.join(folder, name), "utf8")),
  );
  assert.equal(own, ["harness.ts"]);
});

test.run();
