// A control file outlives a server that was killed: whoever takes its place learns nothing from the tools.

import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Control } from "../../src/cli/control-file.js";
import { connect } from "../../src/cli/tools/connection.js";
import { type Inside, inside } from "../cli/inside.js";
import type { Workshop } from "../cli/launcher.js";

const test = suite("the control file of a killed server");

/** Another program in the place of a server: takes whatever it is told, and says whatever tools want to hear. */
interface Impostor {
  /** All that came: lines, headers and bodies. */
  readonly heard: () => string;
  close(): Promise<void>;
}

async function impostor(place: { readonly port?: number; readonly path?: string }): Promise<Impostor> {
  let heard = "";
  const server: Server = createServer((request, response) => {
    heard += textOf(request);
    request.on("data", (chunk) => (heard += String(chunk)));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: "ok", proof: "0".repeat(64), storage: { state: "ok" } }));
    });
  });
  server.listen({ ...place, ...(place.port === undefined ? {} : { host: "127.0.0.1" }) });
  await once(server, "listening");
  return {
    heard: () => heard,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function textOf({ method, url, rawHeaders }: IncomingMessage): string {
  return `${method} ${url} ${rawHeaders.join(" ")}\n`;
}

async function controlOf(folder: string): Promise<Control> {
  return JSON.parse(await readFile(join(folder, "server.json"), "utf8")) as Control;
}

/** Kills a server and puts another program in its place. */
async function replaced(
  { program, path }: Inside,
  flags: readonly string[],
): Promise<{ readonly control: Control; readonly other: Impostor }> {
  const running = await program.start(["--data", path("data"), ...flags]);
  const control = await controlOf(path("data"));
  running.kill("SIGKILL");
  await running.ended;
  const place = control.socketPath === undefined ? { port: Number(new URL(control.address).port) } : undefined;
  if (control.socketPath !== undefined)
    await import("node:fs/promises").then(({ rm }) => rm(String(control.socketPath)));
  return { control, other: await impostor(place ?? { path: String(control.socketPath) }) };
}

for (const [kind, flags] of [
  ["port", () => []],
  ["socket", ({ path }: Workshop) => ["--socket", path("s.sock")]],
] as const) {
  test(`who takes the ${kind} gets no token, and the tools open the folder`, () =>
    inside(async (workshop) => {
      const { control, other } = await replaced(workshop, flags(workshop));
      try {
        const added = await workshop.run(["keys", "add", "k", "--scope", "admin", "--data", workshop.path("data")]);
        assert.is(added.code, 0, added.stderr);
        assert.match(other.heard(), /^GET \/api\/0\/health\?challenge=/);
        assert.not.match(other.heard(), control.token);
        assert.not.match(other.heard().toLowerCase(), "authorization");
      } finally {
        await other.close();
      }
    }));
}

test("who takes the port between two requests gets no token either", () =>
  inside(async (workshop) => {
    const { control, other } = await replaced(workshop, []);
    try {
      await connect({ kind: "server", control }).client.keys.revoke("k");
      assert.match(other.heard(), "DELETE /api/0/keys/k");
      assert.not.match(other.heard(), control.token);
    } finally {
      await other.close();
    }
  }));

test("a server of another folder is none of this one", () =>
  inside(async ({ program, start, run, path }) => {
    const one = await program.start(["--data", path("one")]);
    const two = await start(["--data", path("two")]);
    one.kill("SIGKILL");
    await one.ended;
    const left = await controlOf(path("one"));
    const text = JSON.stringify({ ...left, address: two.url });
    await writeFile(path("one/server.json"), text, { mode: 0o600 });
    const added = await run(["keys", "add", "k", "--scope", "admin", "--data", path("one")]);
    assert.is(added.code, 0, added.stderr);
    assert.is((await run(["keys", "list", "--data", path("two")])).stdout.includes("k:"), false);
  }));

test.run();
