// What npm would publish, tried in a project that has nothing else. Uses the build in dist, which the runner makes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pack, packPrograms, ROOT, withConsumer } from "./package/tarball.js";

const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const CORE: readonly string[] = Object.keys(MANIFEST.dependencies);
const WITH_ENGINE: readonly string[] = [...CORE, "classic-level"];

const PUBLISHED =
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|docs\/(?:(?!site)\w+\/)?[\w-]+\.md|docs\/images\/[\w-]+\.png|docs\/examples\/.+\.(?:md|js|mjs|ts|json|html|astro|svelte|vue)|dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/migrations\/\w+\.sql|dist\/pages\/[\w-]+\.cjs|dist\/THIRD-PARTY\.txt)$/;
const NEEDED = [
  "package.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "dist/cli.cjs",
  "dist/cli.js",
  "docs/reference/format-leveldb.md",
];

/** Uses every export, as either module kind; `LOAD` stands for how it is loaded. */
const PROGRAM = `
async function main() {
  const { createActivityServer } = LOAD("activity-server");
  const { ActivityError, EventBatch } = LOAD("activity-server/adapter");
  const { memory } = LOAD("activity-server/memory");
  const { leveldb } = LOAD("activity-server/leveldb");
  const { unstorage } = LOAD("activity-server/unstorage");
  const { postgres } = LOAD("activity-server/postgres");
  const { createTestServer, realisticDay } = LOAD("activity-server/testing");
  const { storageContract } = LOAD("activity-server/contract");
  const { connect } = LOAD("activity-server/client");
  const { createHeartbeatQueue } = LOAD("activity-server/queue");
  const kept = new Map();
  const driver = {
    getItem: async (key) => kept.get(key) ?? null,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
    getKeys: async () => [...kept.keys()],
  };
  for (const storage of [memory(), await leveldb({ path: "data" }), await unstorage({ storage: driver })]) {
    const server = createActivityServer({ storage });
    const answer = await server.fetch(new Request("http://localhost/api/0/info"));
    console.log(storage.traits.adapter, answer.status, (await answer.json()).version);
    await server.close();
  }
  const unconnected = postgres({ connectionString: "postgres:///" });
  const missing = await unconnected.ready().catch((error) => error);
  console.log("postgres", missing.code, missing.message);
  await unconnected.close();
  const unknown = await memory().read("none").catch((error) => error);
  console.log("adapter", EventBatch.from([]).length, unknown instanceof ActivityError);
  const test = createTestServer();
  await test.load(realisticDay());
  const client = connect(test);
  console.log("testing", Object.keys(await client.buckets.list()).length);
  const bucket = { type: "t", client: "c", hostname: "h" };
  const queue = createHeartbeatQueue({ client, bucketId: "w", bucket, pulsetime: 5, onWarning: console.log });
  console.log("queue", await queue.heartbeat({ timestamp: new Date(), data: {} }), queue.state.size);
  await queue.close();
  await test.close();
  const cases = storageContract({ create: async () => memory() });
  await cases[0].run();
  console.log("contract", cases.length > 50);
}
main();
`;
const PRINTED = `memory 200 v${MANIFEST.version} (node)\nleveldb 200 v${MANIFEST.version} (node)\nunstorage 200 v${MANIFEST.version} (node)\npostgres STORAGE_UNUSABLE the package 'pg' is not installed\nadapter 0 true\ntesting 4\nqueue memory 1\ncontract true\n`;

/** Prints how many bytes each of many servers takes that do nothing, after a call in process and after a request. */
const IDLE = `
import { createActivityServer } from "activity-server";
import { memory } from "activity-server/memory";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
function used() {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
const servers = [];
async function measure(use) {
  const serve = async (count) => {
    for (let index = 0; index < count; index++) {
      const server = createActivityServer({ storage: memory() });
      await use(server);
      servers.push(server);
    }
  };
  await serve(20);
  const before = used();
  await serve(300);
  return Math.round((used() - before) / 300);
}
const inProcess = await measure((server) => server.buckets.list());
const request = async (server) => {
  await (await server.fetch(new Request("http://localhost/api/0/buckets"))).json();
};
// On a busy machine, the compiler's data count in the first measurement.
const served = Math.min(await measure(request), await measure(request));
console.log(JSON.stringify([inProcess, served]));
`;
const MAX_IDLE_BYTES = { inProcess: 27_000, served: 49_500 };

/** Prints every module that is asked for and every native library that is loaded. */
const SPY = `
import { register } from "node:module";
import Module from "node:module";
import fs from "node:fs";
const hook = 'import fs from "node:fs"; export async function resolve(name, context, next) {' +
  ' fs.writeSync(1, "asked for " + name + "\\\\n"); return next(name, context); }';
register("data:text/javascript," + encodeURIComponent(hook));
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  fs.writeSync(1, "asked for " + name + "\\n");
  return resolve.call(this, name, ...rest);
};
const dlopen = process.dlopen;
process.dlopen = function (module, file, ...rest) {
  fs.writeSync(1, "native " + file + "\\n");
  return dlopen.call(this, module, file, ...rest);
};
`;
const FOREIGN =
  /asked for (classic-level|abstract-level|level|memory-level|unstorage|pg|listhen|citty|consola)\b|native /;

const test = suite("package");
const packed = pack();
const programs = packPrograms();

test("it holds the build, the documents and nothing else", () => {
  assert.equal(
    [...packed.keys()].filter((name) => !PUBLISHED.test(name)),
    [],
  );
  assert.equal(
    NEEDED.filter((name) => !packed.has(name)),
    [],
  );
});

test("every export leads to a file", () => {
  const { bin, exports, imports, main, types, typesVersions } = MANIFEST;
  const files: string[] =
    JSON.stringify([bin, exports, imports, main, types, typesVersions]).match(/dist\/[^"]+/g) ?? [];
  assert.equal(
    files.filter((name) => !packed.has(name)),
    [],
  );
});

/** The bundler heads each module with its path. */
const COPIED = /^\/\/ (?:\.\.\/)*node_modules\/((?:@[^/]+\/)?[^/]+)/gm;
/** What CommonJS contains besides the core's packages: what the launcher alone uses. */
const OF_LAUNCHER = ["citty", "consola"];

test("the ES modules carry no other package along, and CommonJS names what it carries, with the licences", () => {
  for (const [name, content] of packed) {
    if (!name.endsWith(".cjs")) assert.equal([...content.toString().matchAll(COPIED)], [], `in ${name}`);
  }
  const notice = packed.get("dist/THIRD-PARTY.txt")?.toString() ?? "";
  const versions: Record<string, string> = { ...MANIFEST.dependencies, ...MANIFEST.devDependencies };
  const expected = [...CORE, ...OF_LAUNCHER].sort().map((name) => `${name} ${versions[name]}`);
  assert.equal(notice.match(/^[\w-]+ \d+\.\d+\.\d+$/gm), expected);
  for (const head of expected) assert.match(notice, `${head}\n\nMIT`);
  assert.match(notice, /cookie-es copyright/i, "what h3 carries along itself");
});

test("the launcher, which is read as ASCII, is ASCII", () => {
  const launcher = packed.get("dist/launcher.cjs");
  assert.ok(launcher !== undefined && launcher.length > 0);
  assert.ok(launcher?.every((byte) => byte < 0x80));
});

test("no file names a folder of this machine", () => {
  for (const [name, content] of packed) assert.not.ok(content.includes(ROOT), name);
});

test("an idle server is small: some process may hold one for each of a thousand users", () => {
  withConsumer(programs, CORE, ({ write, node }) => {
    write("idle.mjs", IDLE);
    const [inProcess, served] = JSON.parse(node("idle.mjs")) as [number, number];
    assert.ok(inProcess > 0 && inProcess < MAX_IDLE_BYTES.inProcess, `${inProcess} bytes each in process`);
    assert.ok(served > inProcess && served < MAX_IDLE_BYTES.served, `${served} bytes each after a request`);
  });
});

test("every export works as an ES module", () => {
  withConsumer(programs, WITH_ENGINE, ({ write, node }) => {
    write("use.mjs", PROGRAM.replaceAll("LOAD(", "await import("));
    assert.is(node("use.mjs"), PRINTED);
  });
});

test("every export works in CommonJS that cannot require ES modules, as in Jest", () => {
  withConsumer(programs, ["classic-level"], ({ write, node }) => {
    write("use.cjs", PROGRAM.replaceAll("LOAD(", "require("));
    assert.is(node("--no-experimental-require-module", "use.cjs"), PRINTED);
  });
});

/** As a framework that loads modules twice, in both kinds; the second server finds the folder open. */
const TWICE = `
import { createRequire } from "node:module";
import fs from "node:fs";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
const require = createRequire(import.meta.url);
const [core, level] = [require("activity-server"), require("activity-server/leveldb")];
const one = createActivityServer({ storage: leveldb({ path: "data/a" }) });
const two = core.createActivityServer({ storage: level.leveldb({ path: "./data/../data/a" }) });
console.log(core.createActivityServer !== createActivityServer, fs.existsSync("data"));
if (process.argv[2] === "serve") {
  await one.buckets.create("b", { type: "t", client: "c", hostname: "h" });
  console.log(Object.keys(await (await two.fetch("/api/0/buckets")).json()));
  await one.close();
  console.log((await two.fetch("/api/0/buckets")).status);
  await two.close();
  console.log((await two.fetch("/api/0/buckets")).status);
}
`;

test("a build step that loads it opens nothing and ends; two copies in one process share a folder", () => {
  withConsumer(programs, WITH_ENGINE, ({ write, node }) => {
    write("use.mjs", TWICE);
    assert.is(node("use.mjs"), "true false\n");
    assert.is(node("use.mjs", "serve"), "true false\n[ 'b' ]\n200\n503\n");
  });
});

for (const kind of ["mjs", "cjs"]) {
  test(`the core and memory load no native code, no engine and no launcher (${kind})`, () => {
    withConsumer(programs, CORE, ({ write, node }) => {
      const names = ["activity-server", "activity-server/memory"];
      const load = names.map((name) =>
        kind === "mjs" ? `import ${JSON.stringify(name)};` : `require(${JSON.stringify(name)});`,
      );
      write("spy.mjs", SPY);
      write(`use.${kind}`, load.join("\n"));
      const seen = node("--import", "./spy.mjs", `use.${kind}`);
      assert.is(/asked for h3\b/.test(seen), kind === "mjs");
      assert.is(FOREIGN.exec(seen)?.[0], undefined);
    });
  });
}

test("the spy sees an engine when one is loaded", () => {
  withConsumer(programs, WITH_ENGINE, ({ write, node }) => {
    write("spy.mjs", SPY);
    write("use.mjs", 'import "classic-level";');
    const seen = node("--import", "./spy.mjs", "use.mjs");
    assert.match(seen, /asked for classic-level\b/);
    assert.match(seen, /native .*\.node/);
  });
});

test.run();
