// long: 300 s
// The guide for authors of adapters, and the adapter it is about, as somebody has them who installed the package.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG } from "./faults/sizes.js";
import { type Consumer, type Packed, pack, packPrograms, ROOT, withConsumer } from "./package/tarball.js";
import { type Block, blocksOf } from "./readme/markdown.js";
import { withFewerCases } from "./readme/program.js";

const GUIDE = "docs/guides/writing-an-adapter.md";
const REFERENCE = "docs/reference/adapter.md";
const STORAGE = path.join(ROOT, "src/storage/storage.ts");
const EXAMPLE = "docs/examples/json-file-adapter";
const FILES = fs.readdirSync(path.join(ROOT, EXAMPLE)).filter((name) => /\.(js|json|md)$/.test(name));
const CORE = Object.keys(JSON.parse(sourceOf("../../../package.json")).dependencies);
const MAX_LINES = 200;

/** A server over the adapter, twice over the same file. */
const PROGRAM = `
import { createActivityServer } from "activity-server";
import { jsonFile } from "./json-file.js";

async function ask(server, method, path, body) {
  const headers = { "content-type": "application/json" };
  const request = new Request("http://localhost/api/0/" + path, { method, headers, body: JSON.stringify(body) });
  return (await server.fetch(request)).json();
}

const first = createActivityServer({ storage: await jsonFile("data/activity.json") });
await ask(first, "POST", "buckets/window", { type: "currentwindow", client: "test", hostname: "desk" });
for (const second of [0, 4]) {
  const beat = { timestamp: "2024-03-01T10:00:0" + second + "Z", duration: 1, data: { app: "editor" } };
  await ask(first, "POST", "buckets/window/heartbeat?pulsetime=5", beat);
}
await first.close();

const second = createActivityServer({ storage: await jsonFile("data/activity.json") });
console.log(JSON.stringify(await ask(second, "GET", "buckets/window/events")));
await second.close();
`;
const PRINTED = '[{"id":1,"timestamp":"2024-03-01T10:00:00+00:00","duration":5,"data":{"app":"editor"}}]\n';

/**
 * Cases of thousands of writes, each of which writes the whole file, are left to the long tests, and of the others eight
 * of nine: contract-names-promises.test.ts runs most of them on the same adapter.
 */
const SOME = "index % 9 === 0 && !/thousand|random|merge target|reopenings, agree|forty/.test(each.name)";

const HANGING = `
import { storageContract } from "activity-server/contract";
import { memory } from "activity-server/memory";

const create = async () => ({ ...memory(), close: () => new Promise(() => {}) });
const [first] = storageContract({ create, callLimitMillis: 200 });
await first.run().catch((error) => console.log(error.message));
`;

const test = suite("guide for adapters");
const packed = pack();
const programs = packPrograms();

function sourceOf(name: string): string {
  return fs.readFileSync(path.join(ROOT, EXAMPLE, name), "utf8");
}

function withExample(installed: Packed, dependencies: readonly string[], use: (consumer: Consumer) => void): void {
  withConsumer(installed, [...CORE, ...dependencies], (consumer) => {
    for (const name of FILES) consumer.write(name, sourceOf(name));
    use(consumer);
  });
}

/** Compiles files against the published types. @returns the mistakes that the compiler finds */
function mistakesIn({ write, node }: Consumer, files: readonly string[]): string[] {
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable", "DOM"],
    module: "nodenext",
    strict: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  try {
    node(path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
    return [];
  } catch (error) {
    return String(error).match(/^.*error TS.*$/gm) ?? [String(error)];
  }
}

test("the example's own test command passes in a project that has nothing but the package", () => {
  withExample(programs, [], ({ node, write }) => {
    const contract = sourceOf("contract.test.js");
    const some = contract.replace(" of cases)", ` of cases.filter((each, index) => ${SOME}))`);
    assert.is.not(some, contract);
    if (!IS_LONG) write("contract.test.js", some);
    const [command, ...args] = JSON.parse(sourceOf("package.json")).scripts.test.split(" ");
    assert.is(command, "node");
    const printed = node(...args);
    const numbers = ["tests", "pass", "fail"].map((what) =>
      Number(new RegExp(`^\\S+ ${what} (\\d+)$`, "m").exec(printed)?.[1]),
    );
    const [tests = 0, pass, fail] = numbers;
    assert.ok(tests > (IS_LONG ? 150 : 20), `${tests} tests`);
    assert.equal([pass, fail], [tests, 0]);
  });
});

test("a server keeps its events in the example's file", () => {
  withExample(programs, [], ({ write, node }) => {
    write("program.mjs", PROGRAM);
    assert.is(node("program.mjs"), PRINTED);
  });
});

test("a call that hangs with nothing else alive fails its case, where Node alone would end without a word", () => {
  withConsumer(programs, CORE, ({ write, node }) => {
    write("program.mjs", HANGING);
    assert.match(node("program.mjs"), "close neither resolved nor rejected for 0.2 s");
  });
});

test("the adapter fits the published types, and a method that is missing does not compile", () => {
  withExample(packed, ["@types/node"], (consumer) => {
    consumer.write("torn.js", sourceOf("json-file.js").replace(/^ +countEvents: .*\n/m, ""));
    const [mistake = "", ...others] = mistakesIn(consumer, ["json-file.js", "torn.js"]);
    assert.match(mistake, /^torn\.js.*countEvents/);
    assert.equal(others, []);
  });
});

test("the reference names every method of the interface", () => {
  const [, shape = ""] = /export interface Storage \{(.*?)\n\}/s.exec(fs.readFileSync(STORAGE, "utf8")) ?? [];
  const methods = Array.from(shape.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm), ([, name]) => name as string);
  assert.ok(methods.length > 20, `${methods.length} methods`);
  const reference = fs.readFileSync(path.join(ROOT, REFERENCE), "utf8");
  assert.equal(
    methods.filter((name) => !new RegExp(`\`(?:storage)?\\.?${name}[(.\`]`).test(reference)),
    [],
  );
});

test("the adapter has less than 200 lines", () => {
  const lines = sourceOf("json-file.js").trimEnd().split("\n");
  assert.ok(lines.length < MAX_LINES, `${lines.length} lines`);
});

test("the example imports published names, Node's modules and its own files only", () => {
  for (const name of FILES.filter((each) => each.endsWith(".js"))) {
    for (const [, module = ""] of sourceOf(name).matchAll(/(?:from |import\(|import )"([^"]+)"/g)) {
      assert.match(module, /^(activity-server(\/\w+)?|node:[\w/]+|\.\/[\w.-]+\.js)$/, name);
    }
  }
});

test("guide and example are published", () => {
  for (const name of [GUIDE, REFERENCE, ...FILES.map((file) => `${EXAMPLE}/${file}`)])
    assert.ok(packed.has(name), name);
});

/** Excerpts are told from programs by what programs begin with. Programs in `js` are run with those of all pages. */
const BLOCKS: readonly Block[] = blocksOf(GUIDE, "javascript");
const PROGRAMS: readonly Block[] = BLOCKS.filter(({ text }) => text.startsWith("import "));

for (const { text, place } of BLOCKS.filter((block) => !PROGRAMS.includes(block))) {
  test(`the excerpt at ${place} stands in the example as it is`, () => {
    assert.ok(
      FILES.some((name) => sourceOf(name).includes(text)),
      text,
    );
  });
}

for (const { text, place } of PROGRAMS) {
  test(`the program at ${place} runs every case`, () => {
    withExample(programs, ["uvu"], ({ write, node }) => {
      write("program.mjs", withFewerCases(text));
      const printed = node("program.mjs");
      const [total, passed] = ["Total", "Passed"].map((what) => new RegExp(`${what}: +(\\d+)`).exec(printed)?.[1]);
      assert.ok(Number(total) > (IS_LONG ? 150 : 15), `${total} cases`);
      assert.is(passed, total);
    });
  });
}

test.run();
