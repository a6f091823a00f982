// long: 300 s
// Holds README and docs to the truth: their programs run, their session is answered as printed, their tables are whole.

import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ENVIRONMENT_PREFIX, environmentName, FLAGS } from "../src/cli/flags.js";
import { errorResponse } from "../src/http/errors.js";
import { ActivityError, type ErrorCode } from "../src/index.js";
import { silentLogger } from "../src/logger.js";
import { checkedFetch } from "./api/answer-check.js";
import { inside } from "./cli/inside.js";
import { type Block, blocksOf, codesIn, pageNames, ROOT, readPage, tableOf } from "./readme/markdown.js";
import { printedBy, whileRunning, withFewerCases } from "./readme/program.js";
import { carryOut, turnsOf, withoutVolatile } from "./readme/session.js";

const test = suite("README and docs");

const PROGRAMS = pageNames().flatMap((name) => blocksOf(name, "js"));
/** Programs that serve until they are ended say so by the name in their first line. */
const SERVICE = /^\/\/ app\.js\n/;

const ENDING = PROGRAMS.filter(({ text }) => !SERVICE.test(text));
/** What Node tests prints its sum when the process ends. */
const isTested = ({ text }: Block): boolean => text.includes('from "node:test"');
const TOGETHER = [
  ENDING.filter((program) => !isTested(program)),
  ...ENDING.filter(isTested).map((program) => [program]),
];

for (const programs of TOGETHER) {
  const { texts, failure } = await printedBy(programs.map(({ text }) => withFewerCases(text)));
  for (const [index, { text, place }] of programs.entries()) {
    test(`the program at ${place} prints what it says`, () => {
      assert.ok(index < texts.length, "one before it failed");
      if (index === texts.length - 1) assert.is(failure, undefined);
      const expected = [...text.matchAll(/\/\/ => (.*)$/gm)].map(([, line]) => `${line}\n`);
      if (expected.length > 0) assert.is(texts[index], expected.join(""));
    });
  }
}

test("the README shows all three uses, and embeds in ten lines", () => {
  const programs = blocksOf("README.md", "js");
  const [embedding, ...others] = programs.filter(({ text }) => SERVICE.test(text));
  assert.is(others.length, 0);
  const lines = embedding?.text.split("\n").filter((line) => /^[^/\s}]/.test(line)) ?? [];
  assert.ok(lines.length > 0 && lines.length <= 10);
  assert.ok(programs.some(({ text }) => text.includes("memory()")));
  assert.match(readPage("README.md"), "npx activity-server");
});

test("the program with a server in it serves under its prefix and ends in good order", async () => {
  const [program] = PROGRAMS.filter(({ text }) => SERVICE.test(text));
  await whileRunning(program?.text ?? "", async ({ firstLine, terminate }) => {
    const url = /http:\S+/.exec(firstLine)?.[0] ?? "";
    const info = await checkedFetch(`${url}/api/0/info`);
    assert.is(info.status, 200);
    assert.match(((await info.json()) as { version: string }).version, "(node)");
    assert.match(await (await fetch(`${url}/`)).text(), /<!doctype html>/i);
    assert.is(await (await fetch(new URL("/", url))).text(), "the program's own page\n");
    if (process.platform !== "win32") assert.is(await terminate(), 0);
  });
});

test("the session of docs/start/first-watcher.md is answered as printed", async () => {
  const turns = turnsOf(blocksOf("docs/start/first-watcher.md", "console")[0]?.text ?? "");
  assert.ok(turns.length > 8);
  await inside(async (workshop) => {
    const { url } = await workshop.start();
    for (const { command, output } of turns) {
      assert.is(withoutVolatile(await carryOut(command, url)), withoutVolatile(output), command);
    }
  });
});

test("docs/reference/cli.md lists every flag with its variable and its default", () => {
  const rows = tableOf("docs/reference/cli.md", "Flag").map(([flag, variable, byDefault]) => [
    codesIn(flag),
    codesIn(variable),
    byDefault?.replaceAll("`", ""),
  ]);
  const wordsOf = (flag: (typeof FLAGS)[number]): string[] => [
    `--${flag.name}${flag.hint ? ` ${flag.hint}` : ""}`,
    ...(flag.short ? [`-${flag.short}`] : []),
  ];
  const flags = FLAGS.map((flag) => [
    flag.environmentOnly ? [] : wordsOf(flag),
    flag.commandLineOnly ? [] : [environmentName(flag)],
    flag.name === "data" ? "see below" : (flag.byDefault ?? ""),
  ]);
  assert.equal(rows, flags);
  assert.is(ENVIRONMENT_PREFIX, "ACTIVITY_SERVER_");
});

test("docs/reference/errors.md lists every error code with its status", () => {
  const source = fs.readFileSync(path.join(ROOT, "src/errors.ts"), "utf8");
  const [, union = ""] = /export type ErrorCode =(.*?);/s.exec(source) ?? [];
  const codes = [...union.matchAll(/"(\w+)"/g)].map(([, code]) => code as ErrorCode);
  const answers = codes.map((code) => `${code} ${errorResponse(new ActivityError(code, ""), silentLogger).status}`);
  const listed = tableOf("docs/reference/errors.md", "Code").flatMap(([code, status]) =>
    codesIn(code).map((name) => `${name} ${status}`),
  );
  assert.equal(listed.sort(), answers.sort());
});

test("docs/reference/options.md lists every option of createActivityServer", () => {
  const source = fs.readFileSync(path.join(ROOT, "src/options.ts"), "utf8");
  const [, body = ""] = /export interface ActivityServerOptions\b[^{]*\{(.*?)^\}/ms.exec(source) ?? [];
  const options = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
  assert.equal(
    tableOf("docs/reference/options.md", "Option").flatMap(([name]) => codesIn(name)),
    options,
  );
});

test("docs/contribute/dependencies.md lists every dependency in its version", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const tables = { dependencies: "Needed", optionalDependencies: "Optional", devDependencies: "Development" };
  for (const [kind, head] of Object.entries(tables)) {
    const listed = tableOf("docs/contribute/dependencies.md", head).map(([name, version]) => [
      ...codesIn(name),
      version,
    ]);
    assert.equal(listed.sort(), Object.entries(manifest[kind]).sort(), kind);
  }
});

test("the changelog has an entry for the version of the package", () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  assert.match(readPage("CHANGELOG.md"), `\n## ${version}\n`);
});

test.run();
