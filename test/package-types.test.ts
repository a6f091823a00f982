// The types of the package as npm would publish it, under the compilers and settings that programs have. Uses the build
// in dist, which the runner makes.
// long: 300 s
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import { IS_LONG, sampleOf } from "./faults/sizes.js";
import { type Consumer, pack, ROOT, withConsumer } from "./package/tarball.js";

const TYPED = `
import { createServer } from "node:http";
import {
  type AcceptedEvent,
  type ActivityServer,
  allow,
  createActivityServer,
  deny,
  type ActivityEvent,
  handlers,
  type RouteHandlers,
  type Storage,
  veto,
} from "activity-server";
import { memory } from "activity-server/memory";
import { createTestServer, heartbeats, type TestServer, toWire, type WireEvent } from "activity-server/testing";
import { postgres } from "activity-server/postgres";
import { unstorage } from "activity-server/unstorage";
import { type LevelDatabase, leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";

const storage: Storage = memory();
const server: ActivityServer = createActivityServer({ storage, testing: true, cors: ["http://localhost:8080"] });
export const url: Promise<string> = server.listen({ port: 0 }).then((listener) => listener.url);
export const answer: Promise<Response> = server.fetch(new Request("http://localhost/api/0/info"));
export const routes: RouteHandlers = handlers(server);
export const { GET, POST } = routes;
export const fromEvent: Promise<Response> = server.fetch({ request: new Request("http://localhost/") });
export const lazily: ActivityServer = createActivityServer({ storage: async () => memory() });
export const promised: ActivityServer = createActivityServer({ storage: Promise.resolve(memory()) });
server.app.use(({ req, url }, next) => (req.method === "GET" && url.pathname === "/" ? new Response() : next()));
export const unopened: Storage = leveldb({ path: "data", durability: "power-loss" });
export const names: string[] = storageContract({ create: async () => memory() }).map(({ name }) => name);
export const events: Promise<readonly ActivityEvent[]> = server.events.read("b", { start: new Date(), limit: 5 }).toArray();
export const beat: Promise<AcceptedEvent> = server.heartbeat("b", { timestamp: "2024-03-01" }, "60s");
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
export const listener = createServer(testServer.nodeHandler);

// @ts-expect-error no such unit
server.events.insert("b", { timestamp: "2024-03-01", duration: "5 seconds" });
// @ts-expect-error a number has no unit
server.events.insert("b", { timestamp: "2024-03-01", duration: 5 });
// @ts-expect-error milliseconds
server.events.insert("b", { timestamp: Date.now() });
// @ts-expect-error a number has no unit
server.heartbeat("b", { timestamp: "2024-03-01" }, 60);
// @ts-expect-error no such notice
server.on("heartbeats", () => undefined);
// @ts-expect-error it has a storage of its own
createTestServer({ storage });
// @ts-expect-error no unit
heartbeats({ every: "5", for: "10m" });
// @ts-expect-error neither allow() nor deny()
createActivityServer({ storage, authorize: () => ({ allow: false }) });

// @ts-expect-error no database given
postgres({ namespace: "team" });
// @ts-expect-error no key-value storage
unstorage({ storage: {} });
// @ts-expect-error a function that gives no storage
createActivityServer({ storage: () => 5 });
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
import { postgres } from "activity-server/postgres";
import { unstorage } from "activity-server/unstorage";
import { leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";
export const traits: Storage["traits"] = memory().traits;
export const merged: StoredEvent | undefined = mergeHeartbeat({ id: 1, timestamp: 0, duration: 0, data: {} }, { timestamp: 1, duration: 0, data: {} }, 5);
export const opened = leveldb({ path: "data" });
export const rows: Storage = postgres({ connectionString: "postgres:///", durability: "process-crash" });
export const kept = unstorage({
  storage: { getItem: async () => null, setItem: async () => {}, removeItem: async () => {}, getKeys: async () => [] },
});
export const cases = storageContract({ create: async () => memory() });
`;

/** An app of h3 2 takes ours by its `fetch`. h3's own types do not compile without `skipLibCheck`. */
const TYPED_WITH_H3 = `
import { createActivityServer } from "activity-server";
import { memory } from "activity-server/memory";
import { H3 } from "h3";
const server = createActivityServer({ storage: memory() });
export const app: H3 = new H3().mount("/tracker", server.app).mount("/other", server.fetch);
`;

const test = suite("types of the package");
const packed = pack();

/** The program of each, and flags: threads cost more than they save on so little. */
const COMPILERS: Readonly<Record<string, readonly [program: string, ...flags: string[]]>> = {
  "TypeScript 5": ["node_modules/typescript-5/bin/tsc"],
  "TypeScript 7": ["node_modules/typescript/bin/tsc", "--singleThreaded"],
};

/** Half of its time the old compiler checks declarations that nobody uses, which the new one does in a moment. */
const isWholeChecked = (compiler: string): boolean => IS_LONG || compiler === "TypeScript 7";

function compile({ write, node }: Consumer, compiler: string, options: Readonly<Record<string, unknown>>): void {
  const strict = { target: "ES2022", lib: ["ES2022", "DOM"], strict: true, noEmit: true };
  const libraries = { skipLibCheck: !isWholeChecked(compiler), skipDefaultLibCheck: true };
  const compilerOptions = { ...strict, ...libraries, exactOptionalPropertyTypes: true, types: [], ...options };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const [program = "", ...flags] = COMPILERS[compiler] ?? [];
  node(path.join(ROOT, program), ...flags, "-p", ".");
}

/** Settings of programs; `type` is that of their package.json. TypeScript 7 has no `node10`. */
const SETTINGS: readonly (readonly [type: string, options: Readonly<Record<string, unknown>>, only?: string])[] = [
  ["commonjs", { module: "commonjs", moduleResolution: "node10" }, "TypeScript 5"],
  ["commonjs", { module: "node16", moduleResolution: "node16" }],
  ["module", { module: "node16", moduleResolution: "node16" }],
  ["module", { module: "nodenext", moduleResolution: "nodenext", target: "ESNext", lib: ["ESNext", "DOM"] }],
  ["module", { module: "esnext", moduleResolution: "bundler" }],
];

/** The old compiler takes ten times as long: without time, it only tries what the new one cannot. */
const isTried = (compiler: string, only?: string): boolean =>
  only === undefined ? IS_LONG || compiler === "TypeScript 7" : only === compiler;

/** Without time, one of each two settings: types of one way are resolved much like those of another. */
const TRIED = sampleOf(SETTINGS, 2);

for (const compiler of Object.keys(COMPILERS)) {
  for (const [type, options, only] of TRIED) {
    if (!isTried(compiler, only)) continue;
    const { target = "ES2022", moduleResolution } = options;
    test(`types fit, and wrong options do not compile: ${compiler}, ${moduleResolution}, ${type}, ${target}`, () => {
      // Without h3, whose types ours do without.
      withConsumer(packed, ["@types/node"], (consumer) => {
        consumer.write("package.json", JSON.stringify({ private: true, type }));
        consumer.write("use.ts", TYPED);
        compile(consumer, compiler, { ...options, types: ["node"] });
      });
    });
  }

  if (!isTried(compiler)) continue;
  test(`the adapters and the contract have types that need no other package: ${compiler}`, () => {
    withConsumer(packed, [], (consumer) => {
      consumer.write("use.ts", TYPED_WITHOUT_CORE);
      compile(consumer, compiler, { module: "nodenext", moduleResolution: "nodenext" });
    });
  });

  test(`another app of h3 takes ours: ${compiler}`, () => {
    const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
    withConsumer(packed, [...Object.keys(dependencies), "@types/node"], (consumer) => {
      consumer.write("use.ts", TYPED_WITH_H3);
      const options = { module: "nodenext", moduleResolution: "nodenext", types: ["node"], skipLibCheck: true };
      compile(consumer, compiler, options);
    });
  });
}

test.run();
