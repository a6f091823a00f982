// Holds every page and every comment to what is there: links and citations lead somewhere, and blocks are what they say.
// Programs of the pages are run by readme.test.ts, examples.test.ts and adapter-guide.test.ts.
import fs from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import { COMMANDS } from "../src/cli/commands.js";
import { FLAGS, type Flag } from "../src/cli/flags.js";
import { createClient } from "../src/client/index.js";
import { createActivityServer } from "../src/index.js";
import { parseProgram } from "../src/query/parser.js";
import {
  type Block,
  blocksOf,
  brokenLinks,
  codesIn,
  everyBlockOf,
  everyPage,
  leadsSomewhere,
  pageNames,
  ROOT,
  readPage,
  tableOf,
} from "./readme/markdown.js";

const test = suite("docs");

/** Carried byte for byte from elsewhere. */
const pages = everyPage().filter((name) => !name.startsWith("test/conformance/"));
const blocks = pages.flatMap(everyBlockOf);
const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));

test("links of all pages lead somewhere", () => {
  const broken = pages.flatMap((name) => brokenLinks(name).map((target) => `${name}: ${target}`));
  assert.equal(broken, []);
});

test("links to a missing page, heading or image are found", () => {
  assert.not(leadsSomewhere("docs/missing.md"));
  assert.not(leadsSomewhere("docs/reference/api.md#missing"));
  assert.ok(leadsSomewhere("docs/reference/api.md#heartbeats"));
});

/** Files that comments name and that are not ours: LevelDB's own documents, and a file of a made-up project. */
const FOREIGN = /^(doc\/|notes\.md$)/;

/** The pages that the comments of a source name. */
function citationsIn(source: string): string[] {
  const comments = source.split("\n").map((line) => /(?:^|\s)(?:\/\/|\/?\*)(.*)$/.exec(line)?.[1] ?? "");
  return comments.flatMap((text) => text.match(/(?:[\w.-]+\/)*[\w.-]+\.md(?:#[\w-]+)?/g) ?? []);
}

test("comments cite pages and headings that a clone has", () => {
  const broken: string[] = [];
  let found = 0;
  for (const folder of ["src", "adapters", "test", "bench", "scripts"]) {
    for (const name of fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(tsx?|mjs)$/.test(name) || name.includes("node_modules")) continue;
      const file = path.join(folder, name);
      for (const citation of citationsIn(fs.readFileSync(path.join(ROOT, file), "utf8"))) {
        found++;
        if (!FOREIGN.test(citation) && !leadsSomewhere(citation)) broken.push(`${file}: ${citation}`);
      }
    }
  }
  assert.equal(broken, []);
  assert.ok(found > 100);
});

test("a citation is seen in each kind of comment, and not in code", () => {
  const lines = ["// (aPAGE)", "/** b/cPAGE#d. */", " * see ePAGE", 'const f = "fPAGE";', "code(); // gPAGE"];
  const source = lines.join("\n").replaceAll("PAGE", ".md");
  assert.equal(citationsIn(source), ["a.md", "b/c.md#d", "e.md", "g.md"]);
});

/** Pages whose programs are run as they stand, and the page of an example whose whole program is. */
const RUN = [...pageNames(), "docs/examples/json-file-adapter/README.md"];
/** Pages that show lines of examples, with which they are compared. */
const EXCERPTS = [
  "docs/guides/embedding.md",
  "docs/guides/authorization.md",
  "docs/embedding/",
  "docs/guides/writing-an-adapter.md",
];
const isOn = (names: readonly string[], place: string): boolean =>
  names.some((name) => place.startsWith(name.endsWith("/") ? name : `${name}:`));

/** How a block of each language is checked. Throws for one that is not what it says. */
const CHECKS: Readonly<Record<string, (block: Block) => unknown>> = {
  js: ({ text, place }) => {
    assert.ok(isOn(RUN, place), "programs of this page are run by no test");
    return transform(text, { loader: "js", format: "esm" });
  },
  javascript: ({ place }) => assert.ok(isOn(EXCERPTS, place), "excerpts of this page are compared by no test"),
  typescript: ({ place }) => assert.ok(isOn(EXCERPTS, place), "excerpts of this page are compared by no test"),
  ts: ({ text }) => transform(text, { loader: "ts", format: "esm" }),
  json: ({ text }) => JSON.parse(text),
  jsonl: ({ text }) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  http: checkRequest,
  query: ({ text }) => parseProgram(text),
  sh: ({ text }) => checkCommands(text),
  console: () => undefined,
  mermaid: ({ text }) => assert.match(text, /^(flowchart|sequenceDiagram)/),
  text: () => undefined,
};

for (const block of blocks) {
  test(`the block at ${block.place} is ${block.language}`, async () => {
    const check = CHECKS[block.language];
    assert.ok(check, `a block needs one of these languages: ${Object.keys(CHECKS).join(", ")}`);
    await check?.(block);
  });
}

/** A request with a JSON body: a query. */
function checkRequest({ text }: Block): void {
  const [, body = ""] = text.split("\n\n");
  const { timeperiods, query } = JSON.parse(body);
  assert.ok(timeperiods.length > 0);
  parseProgram(query.join("\n"));
}

test("indented commands and those in tables and text name flags, commands and scripts that exist", () => {
  let found = 0;
  for (const name of pages) {
    for (const line of readPage(name).split("\n")) {
      const commands = line.startsWith("    ") ? [line] : codesIn(line);
      for (const command of commands) found += checkCommands(command, name);
    }
  }
  assert.ok(found > 20);
});

/** @returns how many commands of ours a text holds. Throws when one names what is not there */
function checkCommands(text: string, place = ""): number {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s)#.*$/, ""));
  return lines.filter((line) => isSound(line, place)).length;
}

const LAUNCHER = /(?:^|npx |\s)(?:activity-server|npm start --) (.*)/;
const SCRIPT = /^\s*npm (?:run )?(?:--silent |-s )?(start|test|test:\w+|bench|bench:\w+|soak|build|lint|typecheck)\b/;
const SCRIPT_BY_RUN = /^\s*npm run (?:--silent |-s )?([\w:]+)/;

function isSound(line: string, place: string): boolean {
  const script = (SCRIPT_BY_RUN.exec(line) ?? SCRIPT.exec(line))?.[1];
  if (script !== undefined && !(script in MANIFEST.scripts)) throw new Error(`${place}: no script ${script}: ${line}`);
  const words = LAUNCHER.exec(line)?.[1]?.split(/\s+/) ?? [];
  const command = COMMANDS.find(({ name }) => name === words[0]);
  const flags: readonly Flag[] = command?.flags ?? FLAGS;
  const known = new Set(flags.flatMap(({ name }) => [`--${name}`, `--no-${name}`]));
  const unknown = words
    .map((word) => word.replace(/=.*/, ""))
    .find((word) => word.startsWith("--") && !known.has(word));
  if (unknown !== undefined) throw new Error(`${place}: no flag ${unknown}: ${line}`);
  return script !== undefined || words.length > 0;
}

test("a command with a flag, a script or a name that does not exist is refused", () => {
  for (const line of ["activity-server --prot 1", "npx activity-server backup --port 1", "npm run biuld"]) {
    assert.throws(() => checkCommands(line), /no (flag|script)/, line);
  }
  assert.is(checkCommands("npm start -- --port 5601\nactivity-server restore a --data b  # --c"), 2);
});

test("docs/reference/commands.md lists the commands of the launcher", () => {
  const listed = tableOf("docs/reference/commands.md", "Command").map(
    ([command]) => codesIn(command)[0]?.split(" ")[0],
  );
  assert.equal(listed.sort(), COMMANDS.map(({ name }) => name).sort());
});

test("docs/reference/options.md names functions that are exported", async () => {
  const exported: Readonly<Record<string, unknown>> = await import("../src/index.js");
  const [, paragraph = ""] = /^(`VERSION` is .*?)\n\n/ms.exec(readPage("docs/reference/options.md")) ?? [];
  const named = codesIn(paragraph);
  assert.ok(named.length > 5);
  for (const name of named) assert.ok(name in exported, `${name} is not exported`);
});

/** The fronts of the package, with the pages that name everything they export. */
const FRONTS: Readonly<Record<string, readonly string[]>> = {
  "../src/index.js": ["docs/reference/options.md", "docs/reference/errors.md", "docs/reference/query.md"],
  "../src/storage/index.js": ["docs/guides/writing-an-adapter.md", "docs/reference/adapter.md"],
  "../src/client/index.js": ["docs/guides/client.md"],
  "../src/client/queue/index.js": ["docs/guides/client-queue.md"],
  "../src/testing/index.js": ["docs/guides/testing.md"],
};

for (const [front, named] of Object.entries(FRONTS)) {
  test(`${named.join(", ")} name the exports of ${front}`, async () => {
    const exported = Object.keys(await import(front));
    const text = named.map(readPage).join("\n");
    assert.ok(exported.length > 0);
    assert.equal(
      exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
      [],
    );
  });
}

test("docs/reference/options.md lists every member of a server", () => {
  const source = fs.readFileSync(path.join(ROOT, "src/server.ts"), "utf8");
  const [, body = ""] = /export interface ActivityServer\b[^{]*\{(.*?)^\}/ms.exec(source) ?? [];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[:(<]/gm)].map(([, name]) => name);
  const listed = tableOf("docs/reference/options.md", "Member").flatMap(([cell]) =>
    codesIn(cell).map((code) => code.replace(/\(.*/, "")),
  );
  assert.ok(members.includes("nodeHandler"), "the interface was found");
  assert.equal(
    members.filter((name) => !listed.includes(name as string)),
    [],
  );
});

/** The methods of an object and of the objects in it, such as `buckets.list`. */
function methodsOf(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === "function") return [name];
    return Object.keys(member).map((inner) => `${name}.${inner}`);
  });
}

test("docs/reference/in-process.md and docs/reference/client.md list every method", async () => {
  const server = createActivityServer({ storage: memory() });
  const { app: _app, fetch: _fetch, nodeHandler: _nodeHandler, listen: _listen, on: _on, close, ...inProcess } = server;
  const inRoutes = new Set(tableOf("docs/reference/api.md", "Route").flatMap(([, , call]) => codesIn(call)));
  const surfaces = { "docs/reference/in-process.md": inProcess, "docs/reference/client.md": createClient() };
  for (const [page, surface] of Object.entries(surfaces)) {
    const methods = methodsOf(surface);
    const listed = tableOf(page, "Call").flatMap(([cell]) => codesIn(cell).map((code) => code.replace(/\(.*/, "")));
    const missing = methods.filter((method) => !listed.includes(method) && !inRoutes.has(method));
    assert.equal([missing, listed.filter((method) => !methods.includes(method))], [[], []], page);
  }
  await close();
});

test("the drawings of docs/architecture.md come first", () => {
  const page = readPage("docs/architecture.md");
  assert.ok(blocksOf("docs/architecture.md", "mermaid").length > 0);
  assert.ok(page.indexOf("```mermaid") < page.indexOf("\n## "));
});

/** Folders of which the page names every file. */
const MAPPED = ["src/http", "src/service", "src/query", "src/storage"].concat(
  ["segments", "leveldb", "leveldb/maintenance", "unstorage", "postgres"].map((name) => `adapters/${name}`),
);

test("docs/architecture.md names every file of the folders that it maps, and none that is not there", () => {
  const named = new Set(readPage("docs/architecture.md").match(/(?<![\w.*])[\w/*-]+\.ts\b/g) ?? []);
  const known = ["src", "adapters", "test"].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`),
  );
  const isNamedBy = (name: string): ((file: string) => boolean) => {
    const pattern = new RegExp(`(?:^|/)${name.replaceAll(".", "\\.").replaceAll("*", "[\\w-]*")}$`);
    return (file) => pattern.test(file);
  };
  const tests = [...named].map(isNamedBy);
  assert.equal(
    [...named].filter((name) => !known.some(isNamedBy(name))),
    [],
  );
  const mapped = known.filter((file) => MAPPED.includes(path.posix.dirname(file)) && file.endsWith(".ts"));
  assert.equal(
    mapped.filter((file) => !tests.some((isNamed) => isNamed(file))),
    [],
  );
});

test.run();
