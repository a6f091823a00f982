// `activity-server init`: files of a framework's page, written into a project.
import fs from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { launch } from "../../src/cli/launch.js";
import { ROOT } from "../readme/markdown.js";
import { whileFixed } from "../tools/fixed-folder.js";
import { inside } from "./inside.js";
import { jsonLines } from "./launcher.js";

const test = suite("init");

const PAGES = fs.readdirSync(join(ROOT, "docs/embedding")).map((name) => name.replace(".md", ""));
const NAMES = PAGES.filter((name) => name !== "serverless");
const MANIFEST = '{ "name": "app" }\n';

/** Creates a project in a folder. @returns its path */
function createProject(folder: string, files: Readonly<Record<string, string>> = {}): string {
  for (const [name, text] of Object.entries({ "package.json": MANIFEST, ...files })) {
    fs.mkdirSync(join(folder, name, ".."), { recursive: true });
    fs.writeFileSync(join(folder, name), text);
  }
  return folder;
}

function listFiles(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => fs.statSync(join(folder, name)).isFile()).sort();
}

function read(...path: string[]): string {
  return fs.readFileSync(join(...path), "utf8");
}

for (const name of NAMES) {
  test(`${name} is written into an empty project, once`, () =>
    inside(async ({ path, told }) => {
      const project = createProject(path(name));
      const text = await told(["init", "--framework", name, "--to", project, "--yes"]);
      const page = read(ROOT, "docs/embedding", `${name}.md`);
      const shown = [...page.matchAll(/^`([^`\n]+)`\n\n```/gm)].map(([, file]) => file as string);
      assert.equal(listFiles(project), [...new Set([...shown, "package.json"])].sort());
      for (const file of shown.filter((file) => file !== "package.json")) {
        assert.is(read(project, file), read(ROOT, "docs/examples", name, file), file);
        assert.match(text, `${file}\n\n    ${read(project, file).split("\n", 1)}`);
      }
      assert.is(read(project, "package.json"), MANIFEST);
      const install = /^ {4}.*activity-server.*$/m.exec(page)?.[0];
      assert.ok(install !== undefined && text.includes(install), install);
      const again = await told(["init", "--framework", name, "--to", project, "--yes", "--json"]).catch(String);
      assert.not.match(again, '"state":"new"');
    }));
}

test("the list names every framework with a page, and needs no project", () =>
  inside(async ({ told }) => {
    const lines = jsonLines(await told(["init", "--list", "--json"]));
    assert.equal(lines.map(({ name }) => name).sort(), NAMES.sort());
    assert.match(await told(["init", "--list"]), /^next +Next: docs\/embedding\/next\.md$/m);
    const help = await told(["init", "--help"]);
    assert.match(help, "--list");
    assert.not.match(help, "Data folder");
  }));

for (const [given, advice] of [
  ["nxt", "; did you mean next?"],
  ["Svelte", "; did you mean sveltekit?"],
  ["zzzzzzzz", "got 'zzzzzzzz'\n"],
] as const) {
  test(`the name ${given} is refused with all names`, () =>
    inside(async ({ path, run }) => {
      createProject(path("."));
      const { code, stderr } = await run(["init", "--framework", given, "--yes"]);
      assert.is(code, 2);
      assert.match(stderr, "--framework must be one of astro, bun, deno,");
      assert.ok(stderr.endsWith(advice.endsWith("\n") ? advice : `${advice}\n`), stderr);
    }));
}

test("without a terminal it shows the files, refuses, and names --yes", () =>
  inside(async ({ path, run }) => {
    createProject(path("."));
    const { code, stdout, stderr } = await run(["init", "--framework", "hono"]);
    assert.is(code, 2);
    assert.match(stdout, 'import { Hono } from "hono";');
    assert.match(stderr, "no terminal to ask on; use --yes");
    const looked = await run(["init", "--framework", "hono", "--dry-run", "--yes"]);
    assert.equal([looked.code, looked.stdout], [0, stdout]);
    assert.equal(listFiles(path(".")), ["package.json"]);
    assert.is((await run(["init"])).code, 2);
  }));

for (const [reply, files] of [
  ["n", ["package.json"]],
  ["y", ["main.js", "package.json"]],
] as const) {
  test(`the reply ${reply} on a terminal leaves ${files.join(", ")}`, () =>
    inside(async ({ path }) => {
      const project = createProject(path("app"));
      const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
      const streams = { stdin: terminal(), stdout: terminal(), stderr: terminal() };
      streams.stdin.end(`${reply}\n`);
      const words = ["init", "--framework", "hono", "--to", project];
      const code = await launch(words, { env: {}, streams, stopSignal: () => Promise.reject(new Error("a server")) });
      assert.is(code, 0);
      assert.match(String(streams.stdout.read()), "[y/N]");
      assert.equal(listFiles(project), files);
    }));
}

test("an existing file stays, and its missing lines are shown", () =>
  inside(async ({ path, run, told }) => {
    const own = 'import express from "express";\nconst app = express();\n';
    const express = createProject(path("express"), { "main.js": own });
    const { code, stdout, stderr } = await run(["init", "--framework", "express", "--to", express, "--yes"]);
    assert.is(code, 1);
    assert.match(stdout, '\n  + app.use("/tracker", server.nodeHandler);\n');
    assert.match(stdout, "\n    const app = express();\n");
    assert.match(stderr, "all files exist; add the lines marked + to them");
    assert.is(read(express, "main.js"), own);

    const config = "export default {};\r\n";
    const next = createProject(path("next"), { "next.config.ts": config });
    const text = await told(["init", "--framework", "next", "--to", next, "--yes"]);
    assert.match(text, "next.config.ts (exists, stays; lacks the lines marked +)");
    assert.match(text, "Add the lines marked + to next.config.ts.");
    assert.is(read(next, "next.config.ts"), config);
    const written = ["app/tracker/[[...path]]/route.js", "next.config.ts", "package.json", "tracker.js"];
    assert.equal(listFiles(next), written);
  }));

test("a Next project with its pages in src/app gets the files there", () =>
  inside(async ({ path, told }) => {
    const project = createProject(path("next"), { "src/app/page.tsx": "", "next.config.mjs": "" });
    await told(["init", "--framework", "next", "--to", project, "--yes"]);
    const files = listFiles(project).filter((name) => name.endsWith(".js"));
    assert.equal(files, ["src/app/tracker/[[...path]]/route.js", "src/tracker.js"]);
  }));

test("a folder without a manifest, and a file in the place of a folder, are refused", () =>
  inside(async ({ path, run, told }) => {
    const none = await run(["init", "--framework", "koa", "--yes"]);
    assert.is(none.code, 1);
    assert.match(none.stderr, /no package\.json in '.*'; run npm init -y there, or name the project with --to/);
    const project = createProject(path("next"), { "app/tracker": "" });
    const blocked = await run(["init", "--framework", "next", "--to", project, "--yes"]);
    assert.is(blocked.code, 1);
    assert.match(blocked.stderr, "cannot read 'app/tracker/[[...path]]' (ENOTDIR)");
    assert.equal(listFiles(project), ["app/tracker", "package.json"]);
    fs.writeFileSync(path("deno.json"), "{}");
    await told(["init", "--framework", "deno", "--yes"]);
  }));

test("a folder that cannot be written to is refused by one line", () =>
  inside(async ({ path, run }) => {
    const project = createProject(path("fixed"));
    const could = await whileFixed(project, async () => {
      const { code, stderr } = await run(["init", "--framework", "nuxt", "--to", project, "--yes"]);
      assert.is(code, 1);
      assert.match(stderr, /cannot write 'nuxt\.config\.ts' \(E\w+\); nothing was written\n$/);
    });
    if (!could) return console.log("left out: no folder can be made read-only here");
    assert.equal(listFiles(project), ["package.json"]);
  }));

test("the built command writes files that are as readable as the project", () =>
  inside(async ({ path, program }) => {
    const project = createProject(path("astro"));
    fs.chmodSync(project, 0o755);
    const lines = jsonLines(await program.told(["init", "--framework", "astro", "--to", project, "--yes", "--json"]));
    const [last] = lines.slice(-1);
    assert.equal(last?.["written"], ["astro.config.mjs", "src/tracker.js", "src/pages/tracker/[...path].js"]);
    if (process.platform === "win32") return;
    assert.is(fs.statSync(join(project, "src/tracker.js")).mode & 0o777, 0o644);
    assert.is(fs.statSync(join(project, "src/pages")).mode & 0o777, 0o755);
  }));

test.run();
