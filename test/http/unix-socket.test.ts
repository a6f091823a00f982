// Unix sockets of listen().
import { link, readdir, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createClient } from "../../src/client/index.js";
import { type ActivityServerOptions, createActivityServer } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";

const test = suite("unix socket");

/** Asks through a socket. @returns the status, or the code of the error */
function ask(socketPath: string, headers: http.OutgoingHttpHeaders = {}): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const request = http.get({ socketPath, path: "/api/0/info", agent: false, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    request.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => "fulfilled",
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

/** Leaves a socket of nobody, as a server does that was killed. */
async function leaveSocket(socketPath: string): Promise<void> {
  const dead = net.createServer();
  const bound = `${socketPath}-bound`;
  await new Promise<void>((resolve) => dead.listen(bound, resolve));
  // Node removes the name that it was bound to; the other one stays.
  await link(bound, socketPath);
  await new Promise((resolve) => dead.close(resolve));
}

const make = (options: Partial<ActivityServerOptions> = {}) => createActivityServer({ storage: memory(), ...options });

test("it serves, for the user of the process only, and is removed by close()", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "activity.sock");
    const server = make();
    const listener = await server.listen({ socketPath });
    assert.equal([listener.url, listener.port, listener.address], ["http://localhost", 0, socketPath]);
    assert.is((await stat(socketPath)).mode & 0o777, 0o600);
    assert.equal(await readdir(folder), ["activity.sock"]);
    assert.is(await ask(socketPath), 200);
    await server.close();
    assert.equal(await readdir(folder), []);
  }));

test("it answers to any Host header, unless names are listed", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    for (const [allowedHosts, status] of [
      [undefined, 200],
      [["desk.example"], 400],
    ] as const) {
      const server = make(allowedHosts === undefined ? {} : { allowedHosts });
      await server.listen({ socketPath });
      assert.is(await ask(socketPath, { host: "whatever.example" }), status);
      await server.close();
    }
  }));

test("a socket that a dead server has left is replaced, one of a living server is not", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    await leaveSocket(socketPath);
    assert.is(await ask(socketPath), "ECONNREFUSED");
    const first = make();
    await first.listen({ socketPath });
    assert.is(await ask(socketPath), 200);
    const second = make();
    assert.is(await codeOf(second.listen({ socketPath })), "EADDRINUSE");
    await second.close();
    assert.is(await ask(socketPath), 200);
    await first.close();
  }));

test("of two that start at once on one path, also where a dead server has left a socket, one gets it", () =>
  withFolder(async (folder) => {
    for (const name of ["new", "stale"]) {
      const socketPath = join(folder, name);
      if (name === "stale") await leaveSocket(socketPath);
      const servers = [make(), make()];
      const outcomes = await Promise.all(
        servers.map((server) =>
          server.listen({ socketPath }).then(
            () => "listens",
            (error: NodeJS.ErrnoException) => error.code,
          ),
        ),
      );
      assert.equal(outcomes.sort(), ["EADDRINUSE", "listens"], name);
      assert.is(await ask(socketPath), 200);
      for (const server of servers) await server.close();
    }
  }));

test("a file that is no socket is left alone", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "notes");
    await writeFile(socketPath, "mine");
    const server = make();
    assert.is(await codeOf(server.listen({ socketPath })), "EEXIST");
    assert.equal(await readdir(folder), ["notes"]);
    await server.close();
  }));

test("close() leaves a socket alone that is another one by then", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    const [first, second] = [make(), make()];
    await first.listen({ socketPath });
    await rm(socketPath);
    await second.listen({ socketPath });
    await first.close();
    assert.is(await ask(socketPath), 200);
    await second.close();
    assert.is(await codeOf(stat(socketPath)), "ENOENT");
  }));

test("a path that is too long, and one in no folder, are refused and leave nothing behind", () =>
  withFolder(async (folder) => {
    const server = make();
    assert.is(await codeOf(server.listen({ socketPath: join(folder, "s".repeat(110)) })), "ENAMETOOLONG");
    assert.is(await codeOf(server.listen({ socketPath: join(folder, "none", "s") })), "ENOENT");
    assert.equal(await readdir(folder), []);
    await server.close();
  }));

test("port, host and tls are refused beside it", async () => {
  const server = make();
  for (const more of [{ port: 0 }, { host: "::1" }, { tls: { cert: "", key: "" } }]) {
    const name = Object.keys(more)[0] as string;
    const message = await codeOf(server.listen({ socketPath: "/nowhere/s", ...more }));
    assert.match(message as string, `\`socketPath\` and \`${name}\` are given`);
  }
  await server.close();
});

test("the client reaches it", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    const server = make();
    await server.listen({ socketPath });
    const client = createClient({ socketPath });
    assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), true);
    assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), false);
    await client.heartbeat("b", { timestamp: new Date("2024-03-01T10:00:00Z"), data: { app: "é" } }, 5);
    assert.equal((await client.events.list("b"))[0]?.data, { app: "é" });
    const chunks: string[] = [];
    for await (const chunk of client.exportText()) chunks.push(chunk);
    await client.import(new Blob(chunks));
    assert.is(await client.events.count("b"), 1);
    await server.close();
    assert.is(await codeOf(client.info()), "UNREACHABLE");
  }));

test.run();
