// What a server tells its owner about its machine, and the import of a database that it finds there.
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createMachine } from "../../src/cli/machine.js";
import { checkOptions } from "../../src/cli/options.js";
import { machineRoutes } from "../../src/http/machine.js";
import type { RequestContext } from "../../src/http/request-context.js";
import type { RouteContext } from "../../src/http/route.js";
import { ANYBODY, type Grants, OPERATOR } from "../../src/service/access/grants.js";
import { fixture } from "../foreign/importing.js";
import { inside } from "./inside.js";
import type { Workshop } from "./launcher.js";

const test = suite("the machine of a server");

interface Described {
  readonly flags: string;
  readonly share: string | null;
  readonly urls: readonly string[];
  readonly bytes: number | null;
  readonly databases: readonly {
    readonly file: string;
    readonly bytes: number;
    readonly import: Record<string, unknown> | null;
  }[];
}

async function ask(url: string, file?: string): Promise<{ readonly status: number; readonly body: Described }> {
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ file }) };
  const response = await (file === undefined
    ? fetch(`${url}/api/0/machine`)
    : fetch(`${url}/api/0/machine/import`, sent));
  return { status: response.status, body: (await response.json()) as Described };
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

test("a server that requires a key has no private path in its page, and says nothing without the key", () =>
  inside(async ({ path, start }) => {
    const { url } = await start(["--data", path("private"), "--auth", "required"]);
    assert.is((await ask(url)).status, 401);
    const page = await (await fetch(`${url}/`)).text();
    assert.match(page, '<meta name="flags" content="--data FOLDER">');
    assert.not.match(page, path("private"));
  }));

function describe(flags: Readonly<Record<string, string | boolean>>): Promise<Described> {
  const settings = Object.entries(flags).map(([name, value]) => [name, { value, source: `--${name}` }] as const);
  return createMachine(checkOptions(new Map(settings)), 5601).describe() as unknown as Promise<Described>;
}

test("commands have the port and the data of the server, and what other devices need", async () => {
  const usual = await describe({ storage: "memory" });
  assert.equal([usual.flags, usual.bytes, usual.urls, usual.databases], ["", null, [], []]);
  assert.is(usual.share, "activity-server --host 0.0.0.0 --auth required --port 5601 --storage memory");
  const shared = await describe({ storage: "memory", host: "192.0.2.7", auth: "required", tls: true });
  assert.equal([shared.share, shared.urls], [null, ["https://192.0.2.7:5601"]]);
  const url = "postgres://db/x";
  const database = await describe({ storage: "postgres", "database-url": url, namespace: "a b", testing: true });
  assert.is(database.flags, "--testing --storage postgres --namespace 'a b'");
});

test("another machine sees it with a session only, not with a key or without one", async () => {
  const machine = createMachine(checkOptions(new Map([["storage", { value: "memory", source: "--storage" }]])), 5601);
  const [show] = machineRoutes(machine);
  const respond = async (grants: Grants, remoteAddress: string): Promise<number> => {
    const context = { callerGrants: async () => grants } as Partial<RouteContext> as RouteContext;
    const request = { remoteAddress } as Partial<RequestContext> as RequestContext;
    const response = await show?.handle(request, context).catch(({ code }: { code: string }) => code);
    return typeof response === "object" ? response.status : response === "FORBIDDEN" ? 403 : 0;
  };
  const key = { ...OPERATOR, caller: { kind: "key", name: "phone", origin: null } } as const;
  const session = { ...OPERATOR, caller: { kind: "session", id: "1", expires: 0 } } as const;
  assert.is(await respond(ANYBODY, "192.0.2.9"), 403);
  assert.is(await respond(key, "192.0.2.9"), 403);
  assert.is(await respond(session, "192.0.2.9"), 200);
  assert.is(await respond(ANYBODY, "127.0.0.1"), 200);
});

test.run();
