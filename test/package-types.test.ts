// The types of the package as npm would publish it, under the compilers and settings that programs have. Uses the build
// in dist, which the runner makes.
// long: 300 s
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import { IS_LONG, sampleOf } from "./faults/sizes.js";
import { type Consumer, pack, ROOT, withConsumer } from "./package/tarball.js";

/**
 * Something of each entry, and a mistake: it would compile if the types of the entry were not found. What the types are
 * is shown by test/in-process/types.test.ts and test/public-types.txt.
 */
const TYPED = `
import { createServer } from "node:http";
import { type ActivityServer, allow, createActivityServer, deny, handlers } from "activity-server";
import type { RouteHandlers, Storage } from "activity-server";
import { memory } from "activity-server/memory";
import { createTestServer, heartbeats, type TestServer, toWire, type WireEvent } from "activity-server/testing";
import { postgres } from "activity-server/postgres";
import { unstorage } from "activity-server/unstorage";
import { leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";

const storage: Storage = memory();
const server: ActivityServer = createActivityServer({
  storage,
  authorize: ({ node, header }) => (node?.url === "/" ? deny() : allow({ user: header("x-user") })),
});
export const routes: RouteHandlers = handlers(server);
export const fromEvent: Promise<Response> = server.fetch({ request: new Request("http://localhost/") });
server.app.use(({ req, url }, next) => (req.method === "GET" && url.pathname === "/" ? new Response() : next()));
const testServer: TestServer = createTestServer({ seed: 5, clock: "2024-03-01" });
export const standIn: typeof globalThis.fetch = testServer.fetch;
export const wired: WireEvent[] = heartbeats({ every: "5s", for: "10m" }).map(toWire);
export const listener = createServer(testServer.nodeHandler);

// @ts-expect-error no such option
createActivityServer({ storage, origins: ["http://localhost:8080"] });
// @ts-expect-error no such argument
memory(5);
// @ts-expect-error no unit
heartbeats({ every: "5", for: "10m" });
// @ts-expect-error no database given
postgres({ namespace: "team" });
// @ts-expect-error no key-value storage
unstorage({ storage: {} });
// @ts-expect-error no place given
leveldb({});
// @ts-expect-error nothing is created
storageContract({});
`;

const TYPED_WITHOUT_CORE = `
import { type Storage, type StoredEvent, mergeHeartbeat } from "activity-server/adapter";
import { memory } from "activity-server/memory";
import { postgres } from "activity-server/postgres";
import { unstorage } from "activity-server/unstorage";
import { leveldb } from "activity-server/leveldb";
import { storageContract } from "activity-server/contract";
const event = { timestamp: 0, duration: 0, data: {} };
export const merged: StoredEvent | undefined = mergeHeartbeat({ id: 1, ...event }, event, 5);
const items = { getItem: async () => null, setItem: async () => {}, removeItem: async () => {} };
export const kept: Storage = unstorage({ storage: { ...items, getKeys: async () => [] } });
export const others: Storage[] = [memory(), leveldb({ path: "data" }), postgres({ connectionString: "" })];
export const names: string[] = storageContract({ create: async () => memory() }).map(({ name }) => name);
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
