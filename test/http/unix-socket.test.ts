// Unix sockets of listen().
import { link, readdir, rm, stat, writeFile } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import type { ActivityServer } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { withServer } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";

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

/** Leaves a socket of nobody, as a server does that was killed. */
async function leaveSocket(socketPath: string): Promise<void> {
  const dead = net.createServer();
  const bound = `${socketPath}-bound`;
  await new Promise<void>((resolve) => dead.listen(bound, resolve));
  // Node removes the name that it was bound to; the other one stays.
  await link(bound, socketPath);
  await new Promise((resolve) => dead.close(resolve));
}

function withTwo(body: (first: ActivityServer, second: ActivityServer) => Promise<void>): Promise<void> {
  return withServer({ door: "process" }, ({ server: first }) =>
    withServer({ door: "process" }, ({ server: second }) => body(first, second)),
  );
}

test("it serves, for the user of the process only, and is removed by close()", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "activity.sock");
    await withServer({ door: "process" }, async ({ server }) => {
      const listener = await server.listen({ socketPath });
      assert.equal([listener.url, listener.port, listener.address], ["http://localhost", 0, socketPath]);
      assert.is((await stat(socketPath)).mode & 0o777, 0o600);
      assert.equal(await readdir(folder), ["activity.sock"]);
      assert.is(await ask(socketPath), 200);
    });
    assert.equal(await readdir(folder), []);
  }));

test("it answers to any Host header, unless names are listed", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    for (const [allowedHosts, status] of [
      [undefined, 200],
      [["desk.example"], 400],
    ] as const) {
      await withServer(
        { door: "process", ...(allowedHosts === undefined ? {} : { allowedHosts }) },
        async ({ server }) => {
          await server.listen({ socketPath });
          assert.is(await ask(socketPath, { host: "whatever.example" }), status);
        },
      );
    }
  }));

test("a socket that a dead server has left is replaced, one of a living server is not", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    await leaveSocket(socketPath);
    assert.is(await ask(socketPath), "ECONNREFUSED");
    await withTwo(async (first, second) => {
      await first.listen({ socketPath });
      assert.is(await ask(socketPath), 200);
      assert.is(await codeOf(second.listen({ socketPath })), "EADDRINUSE");
      await second.close();
      assert.is(await ask(socketPath), 200);
    });
  }));

test("of two that start at once on one path, also where a dead server has left a socket, one gets it", () =>
  withFolder(async (folder) => {
    for (const name of ["new", "stale"]) {
      const socketPath = join(folder, name);
      if (name === "stale") await leaveSocket(socketPath);
      await withTwo(async (...servers) => {
        const outcomes = await Promise.all(servers.map((server) => codeOf(server.listen({ socketPath }))));
        assert.equal(outcomes.sort(), ["EADDRINUSE", "done"], name);
        assert.is(await ask(socketPath), 200);
      });
    }
  }));

test("a file that is no socket is left alone", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "notes");
    await writeFile(socketPath, "mine");
    await withServer({ door: "process" }, async ({ server }) => {
      assert.is(await codeOf(server.listen({ socketPath })), "EEXIST");
      assert.equal(await readdir(folder), ["notes"]);
    });
  }));

test("close() leaves a socket alone that is another one by then", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    await withTwo(async (first, second) => {
      await first.listen({ socketPath });
      await rm(socketPath);
      await second.listen({ socketPath });
      await first.close();
      assert.is(await ask(socketPath), 200);
    });
    assert.is(await codeOf(stat(socketPath)), "ENOENT");
  }));

test("a path that is too long, and one in no folder, are refused and leave nothing behind", () =>
  withFolder(async (folder) => {
    await withServer({ door: "process" }, async ({ server }) => {
      assert.is(await codeOf(server.listen({ socketPath: join(folder, "s".repeat(110)) })), "ENAMETOOLONG");
      assert.is(await codeOf(server.listen({ socketPath: join(folder, "none", "s") })), "ENOENT");
      assert.equal(await readdir(folder), []);
    });
  }));

test("port, host and tls are refused beside it", async () => {
  await withServer({ door: "process" }, async ({ server }) => {
    for (const more of [{ port: 0 }, { host: "::1" }, { tls: { cert: "", key: "" } }]) {
      const name = Object.keys(more)[0] as string;
      const message = await refusalOf(server.listen({ socketPath: "/nowhere/s", ...more }));
      assert.match(message, `\`socketPath\` and \`${name}\` are given`);
    }
  });
});

test("the client reaches it", () =>
  withFolder(async (folder) => {
    const socketPath = join(folder, "s");
    const client = createClient({ socketPath });
    await withServer({ door: "process" }, async ({ server }) => {
      await server.listen({ socketPath });
      assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), true);
      assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), false);
      await client.heartbeat("b", { timestamp: new Date("2024-03-01T10:00:00Z"), data: { app: "é" } }, 5);
      assert.equal((await client.events.list("b"))[0]?.data, { app: "é" });
      const chunks: string[] = [];
      for await (const chunk of client.exportText()) chunks.push(chunk);
      await client.import(new Blob(chunks));
      assert.is(await client.events.count("b"), 1);
    });
    assert.is(await codeOf(client.info()), "UNREACHABLE");
  }));

test.run();
