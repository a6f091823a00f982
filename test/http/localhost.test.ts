// `localhost` stands for two addresses: a program of another user may not have one of them.
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LaunchError } from "../../src/cli/launch-error.js";
import { listenOn } from "../../src/cli/listen.js";
import { createClient } from "../../src/client/index.js";
import type { ListenOptions } from "../../src/index.js";
import { withListening, withServer } from "../harness.js";
import { certificate } from "./tls.js";

const test = suite("localhost");

async function withSocket(
  options: ListenOptions,
  body: (socket: { readonly url: string; readonly port: number; readonly address: string }) => Promise<void>,
): Promise<void> {
  await withServer({ door: "process" }, async ({ server }) => {
    await body(await server.listen({ port: 0, ...options }));
  });
}

/** Whether anything listens there. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function whileTaken(host: string, body: (port: number, server: Server) => Promise<void>): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  return withListening(server, (port) => body(port, server), host);
}

test("localhost is served at both of its addresses, and closed at both", async () => {
  let port = 0;
  await withSocket({ host: "localhost" }, async (socket) => {
    port = socket.port;
    assert.is(socket.url, `http://localhost:${port}`);
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      const response = await fetch(`http://${host}:${port}/api/0/info`);
      assert.is(response.status, 200, host);
    }
  });
  for (const host of ["127.0.0.1", "::1"]) assert.not(await isTaken(host, port), host);
});

test("a request at the second address is answered before the server is closed, and idle connections end", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const { port } = await server.listen({ host: "localhost", port: 0 });
    const idle = connect({ host: "::1", port });
    await once(idle, "connect");
    idle.resume();
    const ended = once(idle, "close");
    idle.write("GET /api/0/info HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(idle, "data");
    await server.close();
    await ended;
  }));

test("the same over TLS", async () => {
  const tls = await certificate();
  await withSocket({ host: "localhost", tls }, async ({ port, url }) => {
    assert.is(url, `https://localhost:${port}`);
    for (const host of ["127.0.0.1", "[::1]"]) {
      const info = await createClient({ url: `https://${host}:${port}`, ca: tls.cert }).info();
      assert.is(typeof info.version, "string", host);
    }
  });
});

for (const [host, other] of [
  ["::1", "127.0.0.1"],
  ["127.0.0.1", "::1"],
] as const) {
  test(`where ${host} is somebody else's, nothing listens`, () =>
    whileTaken(host, async (port) => {
      await withServer({ door: "process" }, async ({ server }) => {
        try {
          await server.listen({ host: "localhost", port });
          assert.unreachable("it listens");
        } catch (error) {
          assert.is((error as NodeJS.ErrnoException).code, "EADDRINUSE");
        }
        assert.not(await isTaken(other, port));
      });
    }));

  for (const qr of [false, true]) {
    test(`the launcher refuses a port of which ${host} is somebody else's, ${qr ? "listhen" : "plain"}`, () =>
      whileTaken(host, async (port) => {
        try {
          await listenOn(() => {}, { host: "localhost", port, qr, clipboard: false });
          assert.unreachable("it listens");
        } catch (error) {
          assert.instance(error, LaunchError);
          assert.match((error as LaunchError).message, `port ${port} on localhost is taken by something else`);
        }
        assert.not(await isTaken(other, port));
      }));
  }
}

test("the address that a socket returns is served, though only names are listed", () =>
  withServer({ door: "process", allowedHosts: ["vm.lan"] }, async ({ server }) => {
    const { url } = await server.listen({ port: 0 });
    const answer = await fetch(`${url}/api/0/info`, { headers: { origin: url } });
    assert.is(answer.status, 200);
    const lost = await server.fetch("http://aw.example/api/0/info");
    assert.match(await lost.text(), "Host must be a name of this server, got 'aw.example'; list it in `allowedHosts`");
  }));

test("the launcher serves both addresses with listhen as well", async () => {
  const wishes = { host: "localhost", port: 0, qr: true, clipboard: false };
  const listener = await listenOn((_, response) => void response.end("ours"), wishes);
  for (const host of ["127.0.0.1", "[::1]"]) {
    assert.is(await (await fetch(`http://${host}:${listener.port}/`)).text(), "ours");
  }
  await listener.close();
});

test("any other name gives way to the address that it is bound to, except over TLS", async () => {
  const host = hostname();
  await withSocket({ host }, async ({ url, address, port }) => assert.is(url, `http://${address}:${port}`));
  await withSocket({ host, tls: await certificate() }, async ({ url, port }) =>
    assert.is(url, `https://${host}:${port}`),
  );
});

test.run();
