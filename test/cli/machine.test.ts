// What a server tells its owner about its machine, and the import of a database that it finds there.
import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readSettings } from "../../src/cli/arguments.js";
import { type RunningImport, runImport } from "../../src/cli/import/run-import.js";
import { createMachine, type LaunchMachine } from "../../src/cli/machine.js";
import { checkOptions } from "../../src/cli/options.js";
import type { MachineFacts } from "../../src/domain/machine.js";
import { machineRoutes } from "../../src/http/machine.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import { ANYBODY, type Grants, OPERATOR } from "../../src/service/access/grants.js";
import { fixture } from "../foreign/importing.js";
import { inside } from "./inside.js";
import type { Workshop } from "./launcher.js";

const test = suite("the machine of a server");

async function ask(url: string, file?: string): Promise<{ readonly status: number; readonly body: MachineFacts }> {
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ file }) };
  const response = await (file === undefined
    ? fetch(`${url}/api/0/machine`)
    : fetch(`${url}/api/0/machine/import`, sent));
  return { status: response.status, body: (await response.json()) as MachineFacts };
}

/** Puts a database where aw-server keeps it. */
async function install({ path }: Workshop): Promise<string> {
  const database = path("share/activitywatch/aw-server/peewee-sqlite.v2.db");
  await mkdir(dirname(database), { recursive: true });
  for (const suffix of ["", "-wal"]) await copyFile(fixture(`peewee-sqlite.v2.db${suffix}`), database + suffix);
  return database;
}

/** Asks until the import has ended. */
async function outcomeOf(url: string): Promise<Record<string, unknown>> {
  for (;;) {
    const [database] = (await ask(url)).body.databases;
    const { state } = database?.import ?? {};
    if (state !== "running") return { ...database?.import };
    await new Promise((wake) => setTimeout(wake, 25));
  }
}

test("a found database is imported when the owner asks for it, and a second time nothing is added", () =>
  inside(async (workshop) => {
    const { path, program } = workshop;
    const file = await install(workshop);
    const folder = path("my data");
    const { url } = await program.start(["--data", folder], { XDG_DATA_HOME: path("share") });
    const { body } = await ask(url);
    assert.equal([body.databases.length, body.databases[0]?.file, body.databases[0]?.import], [1, file, null]);
    assert.is(body.flags, `--data '${folder}'`);
    assert.ok(Number(body.bytes) > 0);
    assert.is((await ask(url, path("share/other.db"))).status, 400);
    assert.is((await ask(url, file)).status, 200);
    assert.equal(await outcomeOf(url), { state: "done", imported: 287, known: 0, lost: 0 });
    await ask(url, file);
    assert.equal(await outcomeOf(url), { state: "done", imported: 0, known: 287, lost: 0 });
  }));

test("a request to import has the file and nothing else", () =>
  inside(async ({ start, path }) => {
    const { url } = await start(["--data", path("data")]);
    const messageFor = async (body: unknown) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const response = await fetch(`${url}/api/0/machine/import`, init);
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    assert.equal(await messageFor({ file: 5 }), [400, "file must be a string, got 5"]);
    assert.equal(await messageFor({}), [400, "file must be a string, got nothing"]);
    assert.equal(await messageFor([]), [400, "the body must be an object, got a list"]);
    assert.equal(await messageFor({ file: "/x", to: "/y" }), [400, "unknown field 'to'; fields are file"]);
  }));

test("a server that requires a key has no private path in its page, and says nothing without the key", () =>
  inside(async ({ path, start }) => {
    const { url } = await start(["--data", path("private"), "--auth", "required"]);
    assert.is((await ask(url)).status, 401);
    const page = await (await fetch(`${url}/`)).text();
    assert.match(page, '<meta name="flags" content="--data FOLDER">');
    assert.not.match(page, path("private"));
  }));

/** @param flags of the server, on one line @param env its variables */
function machineOf(flags: string, env: Readonly<Record<string, string>> = {}): LaunchMachine {
  return createMachine(checkOptions(readSettings(flags.split(" "), env)), 5601);
}

test("commands have the port and the data of the server, and what other devices need", async () => {
  const usual = await machineOf("--storage memory").describe();
  assert.equal([usual.flags, usual.bytes, usual.urls, usual.databases], ["", null, [], []]);
  assert.is(usual.share, "activity-server --host 0.0.0.0 --auth required --port 5601 --storage memory");
  const shared = await machineOf("--storage memory --host 192.0.2.7 --auth required --tls").describe();
  assert.equal([shared.share, shared.urls], [null, ["https://192.0.2.7:5601"]]);
});

test("a database is named by its namespace only, and before anyone has signed in by nothing", async () => {
  const env = { ACTIVITY_SERVER_DATABASE_URL: "postgres://me:s3cret@db/x" };
  const machine = machineOf("--storage postgres --namespace anna --testing", env);
  const { flags, share } = await machine.describe();
  assert.is(flags, "--testing --storage postgres --namespace anna");
  assert.not.match(String(share), "s3cret");
  assert.is(machine.publicFlags, "--testing --storage postgres --namespace NAME");
});

test("the command for other devices keeps every setting except host and access", async () => {
  const flags = [
    "--data /d --testing --encryption-key-file /k --durability power-loss --trash-days 90 --memory-budget 256",
    "--auth optional --insecure --cors http://a.example,http://b.example --cors-regex http://c.+ --cors-regex http://d.+",
    "--allowed-hosts desk.example,home.example --session-cookie-alone --strict-permissions --webui /w --mcp",
    "--tls-cert /c --tls-key /p",
  ].join(" ");
  const { share } = await machineOf(flags).describe();
  const [, ...words] = String(share).split(" ");
  const given = checkOptions(readSettings(flags.split(" "), {}));
  const changed = { host: "0.0.0.0", port: 5601, auth: "required", insecure: false };
  assert.equal(checkOptions(readSettings(words, {})), { ...given, ...changed });
  const other = await machineOf("--data /d --api-key-file /a --tls --webui off").describe();
  assert.is(other.share, "activity-server --host 0.0.0.0 --port 5601 --tls --api-key-file /a --data /d --webui off");
});

/** Asks for the facts. @returns the status */
async function statusFor(
  grants: Grants,
  ends: { readonly remoteAddress?: string; readonly localAddress?: string },
  { flags = "--storage memory", headers = {} as Readonly<Record<string, string>> } = {},
): Promise<number> {
  const [show] = machineRoutes(machineOf(flags));
  const context = { callerGrants: async () => grants } as Partial<RouteContext> as RouteContext;
  const header = (name: string) => headers[name];
  const asked = { header, host: { node: { socket: ends } } } as unknown as RequestContext;
  const response = await show?.handle(asked, context).catch(({ code }: { code: string }) => code);
  return typeof response === "object" ? response.status : response === "FORBIDDEN" ? 403 : 0;
}

test("another machine sees it with a session only, not with a key or without one", async () => {
  const key = { ...OPERATOR, caller: { kind: "key", name: "phone", origin: null } } as const;
  const session = { ...OPERATOR, caller: { kind: "session", id: "1", expires: 0 } } as const;
  const remote = { remoteAddress: "192.0.2.9", localAddress: "192.0.2.7" };
  assert.is(await statusFor(ANYBODY, remote), 403);
  assert.is(await statusFor(key, remote), 403);
  assert.is(await statusFor(session, remote), 200);
  const local = { remoteAddress: "127.0.0.1", localAddress: "127.0.0.1" };
  assert.is(await statusFor(ANYBODY, local), 200);
  assert.is(await statusFor(ANYBODY, { remoteAddress: "192.0.2.7", localAddress: "192.0.2.7" }), 200);
  const headers = { "x-forwarded-for": "192.0.2.9" };
  assert.is(await statusFor(ANYBODY, local, { headers }), 403);
  assert.is(await statusFor(session, local, { headers }), 200);
});

test("a caller at the server's socket is on this machine", () =>
  inside(async ({ start, path }) => {
    await start(["--socket", path("s"), "--storage", "memory"]);
    const status = await new Promise((resolve, reject) => {
      const asked = request({ socketPath: path("s"), path: "/api/0/machine" }, (response) => {
        resolve(response.resume().statusCode);
      });
      asked.on("error", reject).end();
    });
    assert.is(status, 200);
    assert.is(await statusFor(ANYBODY, {}), 403);
  }));

test("if several people use the machine, only the owner imports", () =>
  inside(async ({ start, path }) => {
    const accounts = ["anna:x:1000:1000::/home/anna:/bin/bash", "ben:x:1001:1001::/home/ben:/bin/bash"];
    const { url } = await start(["--data", path("data")], { TEST_ACCOUNTS: accounts.join("\n") });
    assert.equal([(await ask(url)).status, (await ask(url, path("other.db"))).status], [200, 403]);
  }));

/** Runs `body` with a program in place of the command. */
async function withProgram(body: (folder: string) => Promise<void>): Promise<void> {
  await inside(async ({ folder, path }) => {
    const [argv, execArgv] = [[...process.argv], [...process.execArgv]];
    await writeFile(path("program.mjs"), PROGRAM);
    process.argv[1] = path("program.mjs");
    process.execArgv = ["--inspect-brk=0"];
    process.env["ACTIVITY_SERVER_ENCRYPTION_KEY"] = "s3cret";
    try {
      await body(folder);
    } finally {
      Object.assign(process, { argv, execArgv });
    }
  });
}

const PROGRAM = `
const [, , , , file, ...more] = process.argv;
if (file === "killed") process.kill(process.pid, "SIGKILL");
if (file === "silent") process.exit(3);
if (file === "told") {
  const own = Object.keys(process.env).filter((name) => name.startsWith("ACTIVITY_SERVER_"));
  console.error(JSON.stringify({ message: [...process.execArgv, ...own, ...more].join(" ") }));
  process.exitCode = 1;
}
if (file === "deaf") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1000);
  console.log(JSON.stringify({ event: "progress", done: 1, total: 2 }));
}
`;

/** Waits until an import has another progress than at its start. */
async function changeOf(running: RunningImport): Promise<RunningImport["progress"]> {
  const first = running.progress;
  while (running.progress === first) await new Promise((wake) => setTimeout(wake, 5));
  return running.progress;
}

test("an import without an error message names its signal or exit code, and one that does not stop is killed", () =>
  withProgram(async (folder) => {
    const failed = (message: string) => ({ state: "failed", message });
    assert.equal(await changeOf(runImport("killed", folder)), failed("the import ended with SIGKILL"));
    assert.equal(await changeOf(runImport("silent", folder)), failed("the import ended with exit code 3"));
    const deaf = runImport("deaf", folder, 1);
    assert.equal(await changeOf(deaf), { state: "running", done: 1, total: 2 });
    await deaf.stop();
    assert.equal(deaf.progress, failed("the import ended with SIGKILL"));
  }));

test("an import takes over no settings and no debugger of the server", () =>
  withProgram(async (folder) => {
    const message = `--storage leveldb --data ${folder} --yes --json`;
    assert.equal(await changeOf(runImport("told", folder)), { state: "failed", message });
  }));

test("a process that cannot be started fails the import only", async () => {
  const { spawn } = childProcess;
  // As at EMFILE: without pipes.
  const child = Object.assign(new EventEmitter(), { stdout: undefined, stderr: undefined, kill: () => false });
  childProcess.spawn = (() => child) as unknown as typeof spawn;
  syncBuiltinESMExports();
  try {
    const running = runImport("/any.db", "/folder");
    child.emit("error", new Error("spawn EMFILE"));
    await running.stop();
    assert.equal(running.progress, { state: "failed", message: "spawn EMFILE" });
  } finally {
    childProcess.spawn = spawn;
    syncBuiltinESMExports();
  }
});

test("a stopped server starts no import", () =>
  inside(async (workshop) => {
    const file = await install(workshop);
    Object.assign(process.env, { XDG_DATA_HOME: workshop.path("share"), HOME: workshop.folder });
    const machine = machineOf(`--data ${workshop.path("data")}`);
    const importing = machine.importDatabase(file).then(
      () => "started",
      ({ code }: { readonly code: string }) => code,
    );
    await machine.stop();
    assert.is(await importing, "STORAGE_CLOSED");
  }));

test.run();
