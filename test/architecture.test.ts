import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  directionProblems,
  entryProblems,
  formProblems,
  lengthProblems,
  maintenanceProblems,
  type Problem,
  pageProblems,
  reExportProblems,
} from "./architecture/rules.js";
import { parseSource, readSources, type SourceFile } from "./architecture/source.js";

const FILES: readonly SourceFile[] = readSources(["src", "adapters"]);
const CORE_ENTRIES = [
  "src/index.ts",
  "src/storage/index.ts",
  "src/client/index.ts",
  "src/client/queue/index.ts",
  "src/testing/index.ts",
  "adapters/memory.ts",
  "adapters/unstorage/index.ts",
];

const RULES: readonly { name: string; problemsOf: (file: SourceFile) => Problem[] }[] = [
  { name: "imports point one way", problemsOf: directionProblems },
  { name: "only the fronts of the package re-export", problemsOf: reExportProblems },
  { name: "files and lines keep their length", problemsOf: lengthProblems },
  { name: "there is no any, enum, default export or export *", problemsOf: formProblems },
];

const test = suite("architecture");

function report(problems: readonly Problem[]): void {
  if (problems.length > 0) assert.unreachable(`\n    ${problems.join("\n    ")}`);
}

for (const { name, problemsOf } of RULES) test(name, () => report(FILES.flatMap(problemsOf)));

for (const entry of CORE_ENTRIES) {
  test(`${entry} loads nothing of Node's own, no engine and no launcher`, () => {
    const files = new Map(FILES.map((file) => [file.name, file]));
    assert.ok(files.has(entry));
    report(entryProblems(entry, files));
  });
}

for (const entry of ["adapters/leveldb/index.ts", "src/cli/program.ts", "src/cli/start.ts"]) {
  test(`${entry} loads nothing that maintains folders`, () => {
    const files = new Map(FILES.map((file) => [file.name, file]));
    assert.ok(files.has(entry));
    report(maintenanceProblems(entry, files));
  });
}

test("the page loads nothing of Node's own and nothing of the server", () => {
  const files = new Map(FILES.map((file) => [file.name, file]));
  assert.ok(files.has("src/web/main.tsx") && files.has("src/web/views/welcome.tsx"));
  report(pageProblems("src/web/main.tsx", files));
});

/** Functions that the oldest browsers of `scripts/web.mjs` lack. */
const NEWER = /AbortSignal\.any|URL\.(canParse|parse)\(|\.to(Reversed|Sorted|Spliced)\(|withResolvers|\.groupBy\(/;

test("the dashboard calls nothing that its oldest browsers lack", () => {
  const ofPage = FILES.filter(({ name }) => /^src\/(web|client|domain|filter|util)\//.test(name));
  assert.ok(ofPage.length > 100);
  report(
    ofPage.flatMap(({ name, codeLines }) =>
      codeLines.flatMap((line, at): Problem[] => {
        const found = NEWER.exec(line)?.[0];
        return found === undefined ? [] : [`${name}:${at + 1} ${found}`];
      }),
    ),
  );
});

/** Each source breaks one rule, in the line that the problem names. */
const OFFENCES: readonly { name: string; text: string; problem: string }[] = [
  {
    name: "src/domain/a.ts",
    text: 'import { ActivityError } from "../errors.js";',
    problem: ":1 domain must not import ../errors.js",
  },
  { name: "src/domain/a.ts", text: '\nimport util from "node:util";', problem: ":2 domain must not import node:util" },
  {
    name: "src/storage/a.ts",
    text: 'import type { A } from "../service/service.js";',
    problem: ":1 storage must not import ../service/service.js",
  },
  {
    name: "src/storage/a.ts",
    text: 'import { A } from "../../adapters/segments/index.js";',
    problem: ":1 storage must not import ../../adapters/segments/index.js",
  },
  {
    name: "src/codec/a.ts",
    text: 'import { A } from "../http/app.js";',
    problem: ":1 codec must not import ../http/app.js",
  },
  {
    name: "src/testing/a.ts",
    text: 'import { A } from "../../adapters/leveldb/index.js";',
    problem: ":1 testing must not import ../../adapters/leveldb/index.js",
  },
  {
    name: "src/query/run.ts",
    text: 'import {\n  A,\n} from "../service/service.js";',
    problem: ":1 query must not import ../service/service.js",
  },
  {
    name: "src/transforms/a.ts",
    text: 'import "../query/run.js";',
    problem: ":1 transforms must not import ../query/run.js",
  },
  {
    name: "src/service/a.ts",
    text: 'import { A } from "../http/app.js";',
    problem: ":1 service must not import ../http/app.js",
  },
  { name: "src/http/a.ts", text: 'import { A } from "../server.js";', problem: ":1 http must not import ../server.js" },
  {
    name: "src/http/a.ts",
    text: 'const a = await import("../../adapters/memory.js");',
    problem: ":1 http must not import ../../adapters/memory.js",
  },
  { name: "src/server.ts", text: 'import { listen } from "listhen";', problem: ":1 server must not import listhen" },
  {
    name: "src/server.ts",
    text: 'import { A } from "./cli/index.js";',
    problem: ":1 server must not import ./cli/index.js",
  },
  {
    name: "src/server.ts",
    text: 'import { A } from "./web/api.js";',
    problem: ":1 server must not import ./web/api.js",
  },
  {
    name: "src/web/a.tsx",
    text: 'import { A } from "../service/service.js";',
    problem: ":1 web must not import ../service/service.js",
  },
  { name: "src/cli/a.ts", text: 'import { A } from "classic-level";', problem: ":1 cli must not import classic-level" },
  {
    name: "src/cli/a.ts",
    text: 'import { A } from "../service/service.js";',
    problem: ":1 cli must not import ../service/service.js",
  },
  {
    name: "adapters/memory.ts",
    text: 'import { A } from "./leveldb/a.js";',
    problem: ":1 adapter memory must not import ./leveldb/a.js",
  },
  {
    name: "adapters/leveldb/a.ts",
    text: 'import { A } from "../../src/service/service.js";',
    problem: ":1 adapter leveldb must not import ../../src/service/service.js",
  },
  {
    name: "adapters/segments/a.ts",
    text: 'import { A } from "../leveldb/a.js";',
    problem: ":1 adapter segments must not import ../leveldb/a.js",
  },
  {
    name: "adapters/segments/a.ts",
    text: 'import type { A } from "../unstorage/a.js";',
    problem: ":1 adapter segments must not import ../unstorage/a.js",
  },
  {
    name: "adapters/segments/a.ts",
    text: 'const a = import("classic-level");',
    problem: ":1 adapter segments must not import classic-level",
  },
  {
    name: "adapters/segments/a.ts",
    text: 'import fs from "node:fs";',
    problem: ":1 adapter segments must not import node:fs",
  },
  {
    name: "adapters/leveldb/a.ts",
    text: 'import { A } from "../unstorage/a.js";',
    problem: ":1 adapter leveldb must not import ../unstorage/a.js",
  },
  { name: "adapters/leveldb/a.ts", text: 'import { A } from "h3";', problem: ":1 adapter leveldb must not import h3" },
  { name: "src/surplus.ts", text: "", problem: ":1 belongs to no layer: give it one in test/architecture/rules.ts" },
  { name: "src/server.ts", text: '// "\nexport {\n  A,\n} from "./service/service.js";', problem: ":2 re-exports" },
  { name: "adapters/leveldb/index.ts", text: 'export { A } from "./a.js";', problem: ":1 re-exports" },
  { name: "src/server.ts", text: 'export type { A } from "./service/service.js";', problem: ":1 re-exports" },
  { name: "src/index.ts", text: 'export * from "./errors.js";', problem: ":1 has export *" },
  { name: "src/index.ts", text: "export default 1;", problem: ":1 has a default export" },
  { name: "src/errors.ts", text: "const a = /[\"'`]/;\nexport const enum A {}", problem: ":2 has an enum" },
  { name: "src/errors.ts", text: "type A = any[];", problem: ":1 has the type any" },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
  { name: "src/errors.ts", text: "const a = `${b ? `//` : 1}` as any;", problem: ":1 has the type any" },
  { name: "src/errors.ts", text: `//${"x".repeat(119)}`, problem: ":1 has 121 characters" },
  { name: "src/errors.ts", text: "\n".repeat(301), problem: ":301 has more than 300 lines" },
];

for (const { name, text, problem } of OFFENCES) {
  test(`the rules see it: ${name}${problem}`, () => {
    const file = parseSource(name, text);
    assert.equal(
      RULES.flatMap(({ problemsOf }) => problemsOf(file)),
      [`${name}${problem}`],
    );
  });
}

test("the rules let pass what only looks like an offence", () => {
  const text = [
    '// import { A } from "./service/service.js"; any enum',
    "/* export default any */",
    'const a = "export * from any";',
    "const b = await Promise.any([]);",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    "const c = `any ${a} enum`;",
    "const anyone = /any/;",
  ];
  const file = parseSource("src/errors.ts", text.join("\n"));
  assert.equal(
    RULES.flatMap(({ problemsOf }) => problemsOf(file)),
    [],
  );
});

test("the rules follow what an entry loads, but not types and not what it loads later", () => {
  const sources = {
    "src/index.ts": 'export { A } from "./server.js";',
    "src/server.ts":
      'import type { Server } from "node:http";\nconst a = import("node:os");\nimport { b } from "./service/service.js";',
    "src/service/service.ts": 'import os from "node:os";\nimport type { C } from "../storage/storage.js";',
    "src/storage/storage.ts": 'import "node:fs";',
  };
  const files = Object.entries(sources).map(([name, text]) => [name, parseSource(name, text)] as const);
  assert.equal(entryProblems("src/index.ts", new Map(files)), [
    "src/service/service.ts:1 loads node:os with src/index.ts",
  ]);
});

test("the rules follow what the page loads, now or later", () => {
  const sources = {
    "src/web/main.tsx": 'import { A } from "./app.js";\nimport type { S } from "../server.js";',
    "src/web/app.tsx": 'const a = import("./views/a.js");',
    "src/web/views/a.tsx": 'import { day } from "../../testing/day.js";',
    "src/testing/day.ts": 'import "node:fs";\nimport { createActivityServer } from "../index.js";',
  };
  const files = Object.entries(sources).map(([name, text]) => [name, parseSource(name, text)] as const);
  assert.equal(pageProblems("src/web/main.tsx", new Map(files)), [
    "src/testing/day.ts:1 loads node:fs with src/web/main.tsx",
    "src/testing/day.ts:2 loads ../index.js with src/web/main.tsx",
  ]);
});

test.run();
