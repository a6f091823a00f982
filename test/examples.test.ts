// long: 300 s
// The programs under docs/examples, each run in a project that has the packed package and what the example asks for.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { checkedFetch } from "./api/answer-check.js";
import { type Running, run, whileRunning } from "./examples/running.js";
import { sampleOf } from "./faults/sizes.js";
import { type OpenConsumer, openConsumer, packPrograms, ROOT } from "./package/tarball.js";
import { blocksOf, readPage } from "./readme/markdown.js";

const test = suite("examples");

const FOLDER = path.join(ROOT, "docs/examples");
/** Those that have a test of their own. */
const ELSEWHERE = ["json-file-adapter", "many-users", "watcher"];
const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const CORE = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.optionalDependencies });

type Visit = (running: Running) => Promise<void>;

/** What is asked of each program; `undefined` = it ends by itself. */
const PROGRAMS: Readonly<Record<string, Visit | undefined>> = {
  "authorize-with-session/main.js": visitWithSession,
  "express/main.js": visitWithNotes,
  "fastify/main.js": visit,
  "fastify/without-middie.js": visit,
  "h3/main.js": visit,
  "hono/main.js": visit,
  "in-process/main.js": undefined,
  "koa/main.js": visitWithNotes,
  "node-http/main.js": visit,
  "web-standard/main.js": visit,
};

const packed = packPrograms();

/** What `npm run test:frameworks` installs, builds and starts, apart from what this file tries as well. */
function frameworks(): string[] {
  const list = fs.readFileSync(path.join(ROOT, "test/frameworks/list.mjs"), "utf8");
  const names = [...list.matchAll(/^ {2}(?:program|sessions)\("([\w-]+)"/gm)].map(([, name]) => name as string);
  return names.filter((name) => !Object.keys(PROGRAMS).some((program) => program.startsWith(`${name}/`)));
}

/** Files of an example by their path in its folder. */
function filesOf(example: string): string[] {
  const names = fs.readdirSync(path.join(FOLDER, example), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => fs.statSync(path.join(FOLDER, example, name)).isFile() && !name.includes("node_modules"))
    .map((name) => name.replaceAll(path.sep, "/"));
}

function read(example: string, name: string): string {
  return fs.readFileSync(path.join(FOLDER, example, name), "utf8");
}

function dependenciesOf(example: string): Readonly<Record<string, string>> {
  return JSON.parse(read(example, "package.json")).dependencies;
}

/** Runs a body with a copy of an example that has what its package.json names. */
async function withExample(example: string, body: (consumer: OpenConsumer) => Promise<void>): Promise<void> {
  const named = Object.keys(dependenciesOf(example)).filter((name) => name !== "activity-server");
  const consumer = openConsumer(packed, [...new Set([...CORE, ...named])]);
  try {
    for (const name of filesOf(example)) consumer.write(name, read(example, name));
    await body(consumer);
  } finally {
    consumer.close();
  }
}

type Headers = Readonly<Record<string, string>>;

async function ask(url: string, method = "GET", body?: unknown, headers: Headers = {}): Promise<[number, unknown]> {
  const answer = await checkedFetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return [answer.status, /^[[{]/.test(text) ? JSON.parse(text) : text];
}

const BUCKET = { type: "app", client: "test", hostname: "box" };
const beat = (second: number): object => ({ timestamp: `2024-03-01T10:00:0${second}Z`, data: { app: "a" } });

/** Reports and reads back. */
async function report(tracker: string, headers: Headers = {}): Promise<void> {
  const bucket = `${tracker}/api/0/buckets/a%2Fb`;
  assert.equal(await ask(bucket, "POST", BUCKET, headers), [200, {}]);
  for (const second of [0, 5]) {
    const [status] = await ask(`${bucket}/heartbeat?pulsetime=60`, "POST", beat(second), headers);
    assert.is(status, 200);
  }
  const [status, events] = await ask(`${bucket}/events`, "GET", undefined, headers);
  assert.is(status, 200);
  assert.equal(
    (events as { duration: number }[]).map(({ duration }) => duration),
    [5],
  );
  const [, counts] = await ask(`${tracker}/api/0/import`, "POST", { buckets: { c: BUCKET } }, headers);
  assert.is((counts as { buckets_created: number }).buckets_created, 1);
}

async function visit({ url }: Running): Promise<void> {
  const [status, info] = await ask(`${url}/api/0/info`);
  assert.equal([status, (info as { version: string }).version], [200, `v${MANIFEST.version} (node)`]);
  await report(url);
  const [missing, { message }] = (await ask(`${url}/api/0/buckets/none`)) as [number, { message: string }];
  assert.equal([missing, message], [404, "no bucket named 'none'"]);
  const [foreign] = await ask(`${url}/api/0/buckets`, "GET", undefined, { origin: "http://evil.example" });
  assert.is(foreign, 403);
  assert.equal(await ask(new URL("/", url).href), [200, "the app's own page\n"]);
}

async function visitWithNotes(running: Running): Promise<void> {
  await visit(running);
  const noted = await ask(new URL("/notes", running.url).href, "POST", { a: 1 });
  assert.equal(noted, [200, { noted: { a: 1 } }]);
}

async function visitWithSession({ url }: Running): Promise<void> {
  const tracker = new URL("/tracker", url).href;
  const buckets = `${tracker}/api/0/buckets`;
  const session = async (name: string): Promise<Headers> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify({ name }) });
    return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  assert.is((await ask(buckets))[0], 403);
  assert.is((await ask(buckets, "GET", undefined, { cookie: "session=guessed" }))[0], 403);
  assert.is((await ask(`${buckets}/x`, "POST", BUCKET))[0], 403);
  await report(tracker, await session("ada"));
  assert.is((await ask(buckets, "GET", undefined, { authorization: "Bearer a-token" }))[0], 200);
  assert.is((await ask(buckets, "GET", undefined, { authorization: "Bearer other" }))[0], 403);
  assert.equal(await ask(new URL("/", url).href), [200, "the app's own page, for nobody\n"]);
}

const examples = fs.readdirSync(FOLDER).filter((name) => ![...ELSEWHERE, ...frameworks()].includes(name));

test("every example is run", () => {
  const run = new Set(Object.keys(PROGRAMS).map((program) => program.split("/")[0]));
  assert.equal(examples.sort(), [...run].sort());
});

for (const example of examples) {
  test(`${example} names what it imports, in the versions that are tested`, () => {
    const named = dependenciesOf(example);
    const sources = filesOf(example).filter((name) => name.endsWith(".js"));
    const imported = sources.flatMap((name) =>
      [...read(example, name).matchAll(/from "(?!node:)((?:@[\w-]+\/)?[\w-]+)/g)].map(([, found]) => found as string),
    );
    assert.equal([...new Set(imported)].sort(), Object.keys(named).sort());
    const versions = { ...MANIFEST.devDependencies, ...MANIFEST.dependencies, "activity-server": MANIFEST.version };
    for (const [name, range] of Object.entries(named)) assert.is(range, `^${versions[name]}`, name);
  });

  test(`${example} says in its README what it is`, () => {
    const page = read(example, "README.md");
    assert.match(page, /^# .+\n\n/);
    assert.match(page, "npm install && npm start");
  });
}

for (const [name, visitProgram] of sampleOf(Object.entries(PROGRAMS), 2)) {
  const [example = "", program = ""] = name.split("/");
  if (visitProgram === undefined) continue;
  test(`${name} serves, and ends in good order`, () =>
    withExample(example, ({ folder }) =>
      whileRunning(folder, program, async (running) => {
        await visitProgram(running);
        const { code, stderr } = await running.terminate();
        if (process.platform !== "win32") assert.equal([code, stderr], [0, ""]);
      }),
    ));
}

test("in-process/main.js prints what it stored", () =>
  withExample("in-process", async ({ folder }) => {
    const { code, stdout, stderr } = await run(folder, "main.js");
    assert.equal([code, stderr], [0, ""]);
    assert.equal(stdout.trim().split("\n"), [
      "now in a.ts",
      "now in a.ts",
      "now in b.ts",
      "seconds in files { 'b.ts': 1500, 'a.ts': 50 }",
      "NO_SUCH_BUCKET no bucket named 'browser'",
    ]);
  }));

const PAGES = ["docs/guides/embedding.md", "docs/guides/authorization.md"];

test("examples contain the lines that the guides show", () => {
  const shown = PAGES.flatMap((name) =>
    blocksOf(name, "javascript").map((block) => ({ ...block, page: readPage(name) })),
  );
  assert.ok(shown.length >= 8);
  for (const { text, place, page } of shown) {
    const above = page.slice(0, page.indexOf(text));
    const link = [...above.matchAll(/\]\(\.\.\/examples\/([^)]+)\)/g)].at(-1)?.[1] ?? "";
    const lines = (source: string): string[] => source.split("\n").map((line) => line.trim());
    const source = lines(fs.readFileSync(path.join(FOLDER, link), "utf8"));
    let at = 0;
    for (const line of lines(text).filter((shown) => shown !== "")) {
      at = source.indexOf(line, at);
      assert.ok(at >= 0, `${place}: examples/${link} has no line ${line}`);
    }
  }
});

test("the guides link every example", () => {
  const page = PAGES.map(readPage).join("\n");
  for (const example of examples) assert.match(page, `](../examples/${example}`);
});

test.run();
