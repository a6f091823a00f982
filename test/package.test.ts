// What npm would publish, tried in a project that has nothing else. Uses the build in dist, which the runner makes.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Consumer, pack, ROOT, withConsumer } from "./package/tarball.js";

const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const CORE: readonly string[] = Object.keys(MANIFEST.dependencies);
const WITH_ENGINE: readonly string[] = [...CORE, "classic-level"];
const WITH_TYPES: readonly string[] = [...CORE, "@types/node"];

const PUBLISHED =
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|docs\/[\w-]+\.md|docs\/images\/[\w-]+\.png|docs\/examples\/.+\.(?:md|js|mjs|json)|dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/pages\/[\w.-]+\/[\w.-]+)$/;
const NEEDED = ["package.json", "README.md", "CHANGELOG.md", "LICENSE", "dist/cli.js", "docs/storage.md"];

/** Uses every export, as either module kind; `LOAD` stands for how it is loaded. */
const PROGRAM = `
async function main() {
  const { createActivityServer } = LOAD("activity-server");
  const { ActivityError, EventBatch } = LOAD("activity-server/adapter");
  const { memory } = LOAD("activity-server/memory");
  const { leveldb } = LOAD("activity-server/leveldb");
  const { unstorage } = LOAD("activity-server/unstorage");
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
const PRINTED = `memory 200 v${MANIFEST.version} (node)\nleveldb 200 v${MANIFEST.version} (node)\nunstorage 200 v${MANIFEST.version} (node)\nadapter 0 true\ntesting 4\nqueue memory 1\ncontract true\n`;

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
const FOREIGN = /asked for (classic-level|abstract-level|level|memory-level|unstorage|listhen|citty|consola)\b|native /;

const TYPED = `
import http from "node:http";
import {
  type ActivityServer,
  allow,
  createActivityServer,
  deny,
  type ActivityEvent,
  type Storage,
  veto,
} from "activity-server";
import { memory } from "activity-server/memory";
import { createTestServer, heartbeats, type TestServer, toWire, type WireEvent } from "activity-server/testing";
import { unstorage } from "activity-server/unstorage";
import { type LevelDatabase, leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";

const storage: Storage = memory();
const server: ActivityServer = createActivityServer({ storage, testing: true, cors: ["http://localhost:8080"] });
export const url: Promise<string> = server.listen({ port: 0 }).then((listener) => listener.url);
export const answer: Promise<Response> = server.fetch(new Request("http://localhost/api/0/info"));
export const unopened: Storage = leveldb({ path: "data", durability: "power-loss" });
export const names: string[] = storageContract({ create: async () => memory() }).map(({ name }) => name);
export const events: Promise<readonly ActivityEvent[]> = server.events.read("b", { start: new Date(), limit: 5 }).toArray();
export const beat: Promise<ActivityEvent> = server.heartbeat("b", { timestamp: "2024-03-01" }, "60s");
export const typed: Promise<ActivityEvent<{ app: string }>[]> = server.events.read<{ app: string }>("b").toArray();
export const stop: () => void = server.on("heartbeat", ({ bucketId, event }) => console.log(bucketId, event.data));
export const hooked: ActivityServer = createActivityServer({
  storage,
  authorize: ({ node, header }) => (node?.url === "/" ? deny() : allow({ user: header("x-user") })),
  hooks: {
    beforeHeartbeat(write) {
      if (write.bucketId === "b") throw veto("no");
    },
    beforeInsert: async (write) => ({ ...write, events: write.events.slice(1) }),
  },
});
const testServer: TestServer = createTestServer({ seed: 5, clock: "2024-03-01" });
export const standIn: typeof globalThis.fetch = testServer.fetch;
export const wired: WireEvent[] = heartbeats({ every: "5s", for: "10m" }).map(toWire);
export const listener = http.createServer(testServer.nodeHandler);

// @ts-expect-error no such unit
server.events.insert("b", { timestamp: 0, duration: "5 seconds" });
// @ts-expect-error a number has no unit
server.events.insert("b", { timestamp: 0, duration: 5 });
// @ts-expect-error a number has no unit
server.heartbeat("b", { timestamp: 0 }, 60);
// @ts-expect-error no such notice
server.on("heartbeats", () => undefined);
// @ts-expect-error it has a storage of its own
createTestServer({ storage });
// @ts-expect-error no unit
heartbeats({ every: "5", for: "10m" });
// @ts-expect-error neither allow() nor deny()
createActivityServer({ storage, authorize: () => ({ allow: false }) });

// @ts-expect-error no key-value storage
unstorage({ storage: {} });
// @ts-expect-error a storage is needed
createActivityServer({});
// @ts-expect-error no such option
createActivityServer({ storage, origins: ["http://localhost:8080"] });
// @ts-expect-error a wrong type
createActivityServer({ storage, testing: "yes" });
// @ts-expect-error no such durability
leveldb({ path: "data", durability: "nothing" });
// @ts-expect-error no place given
leveldb({});
// @ts-expect-error two places given
leveldb({ path: "data", db: {} as LevelDatabase });
`;
const TYPED_WITHOUT_CORE = `
import { type Storage, type StoredEvent, mergeHeartbeat } from "activity-server/adapter";
import { memory } from "activity-server/memory";
import { unstorage } from "activity-server/unstorage";
import { leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";
export const traits: Storage["traits"] = memory().traits;
export const merged: StoredEvent | undefined = mergeHeartbeat({ id: 1, timestamp: 0, duration: 0, data: {} }, { timestamp: 1, duration: 0, data: {} }, 5);
export const opened = leveldb({ path: "data" });
export const kept = unstorage({
  storage: { getItem: async () => null, setItem: async () => {}, removeItem: async () => {}, getKeys: async () => [] },
});
export const cases = storageContract({ create: async () => memory() });
`;

const test = suite("package");
const packed = pack();

function compile({ write, node }: Consumer, options: Readonly<Record<string, unknown>>): void {
  const strict = { target: "ES2022", lib: ["ES2022", "ESNext.Disposable", "DOM"], strict: true, noEmit: true };
  write("tsconfig.json", JSON.stringify({ compilerOptions: { ...strict, types: [], ...options }, files: ["use.ts"] }));
  node(path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
}

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
  const files: string[] =
    JSON.stringify([MANIFEST.exports, MANIFEST.bin, MANIFEST.main, MANIFEST.types]).match(/dist\/[^"]+/g) ?? [];
  assert.equal(
    files.filter((name) => !packed.has(name)),
    [],
  );
});

test("no other package is copied into the build", () => {
  // The bundler heads each module with its path.
  for (const [name, content] of packed) {
    assert.is(/^\/\/ (\.\.\/)*node_modules\/.*/m.exec(content.toString())?.[0], undefined, `in ${name}`);
  }
});

test("no file names a folder of this machine", () => {
  for (const [name, content] of packed) assert.not.ok(content.includes(ROOT), name);
});

test("every export works as an ES module", () => {
  withConsumer(packed, WITH_ENGINE, ({ write, node }) => {
    write("use.mjs", PROGRAM.replaceAll("LOAD(", "await import("));
    assert.is(node("use.mjs"), PRINTED);
  });
});

test("every export works in CommonJS", () => {
  withConsumer(packed, WITH_ENGINE, ({ write, node }) => {
    write("use.cjs", PROGRAM.replaceAll("LOAD(", "require("));
    // Node 20 warns that h3 is an ES module; the warning goes to stderr.
    assert.is(node("use.cjs"), PRINTED);
  });
});

for (const kind of ["mjs", "cjs"]) {
  test(`the core and memory load no native code, no engine and no launcher (${kind})`, () => {
    withConsumer(packed, CORE, ({ write, node }) => {
      const names = ["activity-server", "activity-server/memory"];
      const load = names.map((name) =>
        kind === "mjs" ? `import ${JSON.stringify(name)};` : `require(${JSON.stringify(name)});`,
      );
      write("spy.mjs", SPY);
      write(`use.${kind}`, load.join("\n"));
      const seen = node("--import", "./spy.mjs", `use.${kind}`);
      assert.match(seen, /asked for h3\b/);
      assert.is(FOREIGN.exec(seen)?.[0], undefined);
    });
  });
}

test("the spy sees an engine when one is loaded", () => {
  withConsumer(packed, WITH_ENGINE, ({ write, node }) => {
    write("spy.mjs", SPY);
    write("use.mjs", 'import "classic-level";');
    const seen = node("--import", "./spy.mjs", "use.mjs");
    assert.match(seen, /asked for classic-level\b/);
    assert.match(seen, /native .*\.node/);
  });
});

for (const [module, moduleResolution] of [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const) {
  test(`types fit, and wrong options do not compile (${moduleResolution})`, () => {
    withConsumer(packed, WITH_TYPES, (consumer) => {
      consumer.write("use.ts", TYPED);
      // The declarations of h3 itself do not compile without it.
      compile(consumer, { module, moduleResolution, types: ["node"], skipLibCheck: true });
    });
  });
}

test("types fit in CommonJS", () => {
  withConsumer(packed, WITH_TYPES, (consumer) => {
    consumer.write("package.json", JSON.stringify({ private: true, type: "commonjs" }));
    consumer.write("use.ts", TYPED);
    compile(consumer, { module: "nodenext", moduleResolution: "nodenext", types: ["node"], skipLibCheck: true });
  });
});

test("the adapters and the contract have types that need no other package", () => {
  withConsumer(packed, [], (consumer) => {
    consumer.write("use.ts", TYPED_WITHOUT_CORE);
    compile(consumer, { module: "nodenext", moduleResolution: "nodenext", skipLibCheck: false });
  });
});

test.run();
