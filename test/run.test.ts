// The runner decides what counts as green, so it is tried on every way in which uvu looks greener than it is.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const UVU = import.meta.resolve("uvu");
// The runner refuses this very word in test files.
const ONLY = ["test", "only"].join(".");

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly lastLine: string | undefined;
}

/** Runs the runner over a folder that holds the given files. */
async function runOver(files: Readonly<Record<string, string>>, filters: readonly string[] = []): Promise<Outcome> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-server-"));
  try {
    for (const [name, body] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      const head = `import { suite } from ${JSON.stringify(UVU)};\nconst test = suite("fixture");\n`;
      fs.writeFileSync(path.join(folder, name), head + body);
    }
    const child = spawn(process.execPath, [path.join(HERE, "run.mjs"), "--dir", folder, ...filters]);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, output, lastLine: output.trimEnd().split("\n").at(-1) };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The line of a file: how it begins, and what follows the path; `T` is the time it took. */
function lineOf(mark: string, name: string, rest: string): RegExp {
  const escaped = rest.replace(/[.()]/g, "\\$&").replace("T", "\\d+\\.\\d s");
  return new RegExp(`^${mark} \\S*\\b${name}\\.test\\.ts  ${escaped}`, "m");
}

/** Resolves once a process has printed a text. */
function printed({ stdout }: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  return new Promise((resolve) => {
    let seen = "";
    stdout.on("data", function look(chunk) {
      seen += chunk;
      if (!seen.includes(text)) return;
      stdout.off("data", look);
      resolve();
    });
  });
}

const PASSING = 'test("a", () => {});\ntest("b", () => {});\ntest.run();\n';
const FAILING = 'test("a", () => {});\ntest("b", () => { throw new Error("told why"); });\ntest.run();';

/** Files that must be red, in the order of their names, with what stands in their line. */
const RED_FILES: readonly { name: string; body: string; line: string; says?: RegExp }[] = [
  { name: "a failing test", body: FAILING, line: "1 passed, T, 1 of 2 failed", says: /told why/ },
  {
    name: "a hook that throws",
    body: 'test.before(() => { throw new Error("hook"); });\ntest("a", () => {});\ntest("b", () => {});\ntest.run();',
    line: "0 passed, T, 2 of 2 failed or did not run",
  },
  {
    name: "a forgotten run()",
    body: 'test("a", () => {});',
    line: "0 passed, T, no test at all, or run() is missing",
  },
  { name: "a suite without tests", body: "test.run();", line: "0 passed, T, no test at all" },
  {
    name: "a skipped test",
    body: 'test("a", () => {});\ntest.skip("b", () => {});\ntest.run();',
    line: "1 passed, T, 1 skipped",
  },
  {
    name: "a test that is the only one to run",
    body: `test("a", () => {});\n${ONLY}("b", () => {});\ntest.run();`,
    line: "0 passed, T, .only left in line 4",
  },
  {
    name: "a promise that never settles",
    body: 'test("a", () => new Promise(() => {}));\ntest.run();',
    line: "0 passed, T, no closing block, exit 13",
  },
  {
    name: "a file that does not load",
    body: 'import "./missing.js";',
    line: "0 passed, T, no closing block, exit 1",
    says: /missing\.js/,
  },
  {
    name: "a file that ends the process",
    body: 'test("a", () => process.exit(0));\ntest.run();',
    line: "0 passed, T, no closing block, exit 1",
  },
  {
    name: "an error that nobody catches",
    body: `test("a", async () => {
  setTimeout(() => { throw new Error("from nowhere"); }, 1);
  await new Promise((resolve) => setTimeout(resolve, 1000));
});
test.run();`,
    line: "0 passed, T, no closing block, exit 1",
    says: /from nowhere/,
  },
  {
    name: "a process that crashes",
    body: 'test("a", () => process.kill(process.pid, "SIGSEGV"));\ntest.run();',
    line: "0 passed, T, no closing block, exit SIGSEGV",
  },
  {
    name: "a file that never ends",
    body: '// time limit: 2 s\ntest("a", () => new Promise(() => setInterval(() => {}, 1000)));\ntest.run();',
    line: "0 passed, T, time limit of 2 s",
  },
  {
    name: "a file that passes, and leaves something that never ends",
    body: `// time limit: 2 s\nsetInterval(() => {}, 1000);\n${PASSING}`,
    line: "2 passed, T, time limit of 2 s",
  },
  {
    name: "an exit code beside passing tests",
    body: `// own process: the code is that of its end\n${PASSING}process.on("exit", () => { process.exitCode = 3; });`,
    line: "2 passed, T, exit 3",
  },
  {
    name: "a promise that fails, for which nobody waits",
    body: 'test("a", () => void Promise.reject(new Error("unheard")));\ntest("b", () => {});\ntest.run();',
    line: "2 passed, T, exit 1",
    says: /unheard/,
  },
  {
    name: "a file that fails, and leaves something that never ends",
    body: `setInterval(() => {}, 1000);\n${FAILING}`,
    line: "1 passed, T, 1 of 2 failed",
  },
];

const RED = RED_FILES.map((each, index) => ({ ...each, file: String.fromCharCode(97 + index) }));

let redRun: Promise<Outcome> | undefined;

/** All of them in one batch, each followed by a file that passes. */
function runRed(): Promise<Outcome> {
  const files = RED.flatMap(({ file, body }) => [
    [`${file}1.test.ts`, body],
    [`${file}2.test.ts`, PASSING],
  ]);
  redRun ??= runOver(Object.fromEntries(files));
  return redRun;
}

const test = suite("test runner");

test("passing files are counted; only test files run whose names are chosen, and recorded cases are none", async () => {
  const failing = "throw new Error();";
  const chosen = { "alpha.test.ts": PASSING, "deep/alpha.test.ts": PASSING };
  const others = { "beta.test.ts": failing, "alpha.ts": failing, "conformance/alpha.test.ts": failing };
  const { code, lastLine } = await runOver({ ...chosen, ...others }, ["alpha"]);
  assert.equal([code, lastLine], [0, "4 passed, 0 failed"]);
});

test("a name that fits nothing fails", async () => {
  const { code, lastLine } = await runOver({ "alpha.test.ts": PASSING }, ["omega"]);
  assert.equal([code, lastLine], [1, "0 passed, 1 failed"]);
});

test("long tests are the files that say so, told that there is time", async () => {
  const long = '// long: 60 s\ntest("a", () => { console.log("long is", process.env.TEST_LONG); });\ntest.run();';
  const { lastLine, output } = await runOver({ "a.test.ts": long, "b.test.ts": PASSING }, ["--long"]);
  assert.is(lastLine, "1 passed, 0 failed");
  assert.match(output, /long is 1/);
});

test("all can be played once, the long tests in their long form", async () => {
  const long = '// long: 60 s\ntest("a", () => { throw new Error("long is " + process.env.TEST_LONG); });\ntest.run();';
  const short = 'test("b", () => { throw new Error("short is " + process.env.TEST_LONG); });\ntest.run();';
  const { lastLine, output } = await runOver({ "a.test.ts": long, "b.test.ts": short }, ["--with-long"]);
  assert.is(lastLine, "0 passed, 2 failed");
  assert.match(output, /long is 1/);
  assert.match(output, /short is undefined/);
  assert.match(output, /run just them: node test\/run\.mjs --with-long \S+a\.test\.ts \S+b\.test\.ts$/m);
});

for (const { name, file, line, says } of RED) {
  test(`${name} is red, and the next file runs all the same`, async () => {
    const { output } = await runRed();
    assert.match(output, lineOf("FAIL", `${file}1`, line), output);
    assert.match(output, lineOf("ok  ", `${file}2`, "2 passed, T\n"), output);
    if (says) assert.match(output, says);
  });
}

test("the end names what is red and the command that runs just that, and what was slowest", async () => {
  const { code, output, lastLine } = await runRed();
  assert.is(code, 1);
  const [, end = ""] = output.split("\nfailed:\n");
  for (const { file } of RED) assert.match(end, `${file}1.test.ts: `);
  assert.not.match(end, "2.test.ts");
  assert.match(end, /run just them: node test\/run\.mjs \S+a1\.test\.ts \S+b1\.test\.ts /);
  assert.match(output, /\nslowest:\n( +\d+\.\d s {2}\S+\.test\.ts\n){10}\n/);
  const passed = RED.reduce((sum, { line }) => sum + Number.parseInt(line, 10), RED.length * 2);
  assert.not.match(output, "unsteady");
  // Of one file both tests failed.
  assert.is(lastLine, `${passed} passed, ${RED.length + 1} failed`);
});

/** Red at first, and green from then on. */
const UNSTEADY = `import fs from "node:fs";
test("a", () => {
  const mark = new URL("mark", import.meta.url);
  if (fs.existsSync(mark)) return;
  fs.writeFileSync(mark, "");
  throw new Error("the first time");
});
test.run();`;

test("what is red is played again on demand, and named when it is green then, but not when it is red again", async () => {
  const failing = 'test("a", () => { throw new Error("always"); });\ntest.run();';
  const files = { "a.test.ts": UNSTEADY, "b.test.ts": PASSING, "c.test.ts": failing };
  const { code, output, lastLine } = await runOver(files, ["--again"]);
  assert.equal([code, lastLine], [1, "3 passed, 1 failed"]);
  const [, unsteady = ""] = output.split("\nunsteady, red beside others and green alone:\n");
  assert.match(unsteady, /^ +\S*a\.test\.ts: 1 of 1 failed/);
  assert.not.match(unsteady, "c.test.ts");
});

test("an exit code that files leave together is told apart by running each alone", async () => {
  const body = `${PASSING}process.on("exit", () => { process.exitCode = 3; });`;
  const { output, lastLine } = await runOver({ "a.test.ts": PASSING, "b.test.ts": body, "c.test.ts": PASSING });
  assert.match(output, lineOf("FAIL", "b", "2 passed, T, exit 3"));
  assert.is(lastLine, "6 passed, 1 failed");
});

test("a file finds nothing that another one has left, and a promise may fail before it is waited for", async () => {
  const leaving = `
process.env.LEFT = "1";
process.env.HOME = "/nowhere";
process.chdir("/");
globalThis.left = 1;
globalThis.fetch = undefined;
process.exitCode = 0;
test("a promise may fail before its turn comes to be waited for", async () => {
  const early = Promise.reject(new Error("refused"));
  await new Promise((resolve) => setTimeout(resolve, 1));
  await early.then(() => { throw new Error("done"); }, () => undefined);
});
test.run();`;
  const finding = `
test("all is new", () => {
  const found = [process.env.LEFT, process.env.HOME === "/nowhere", process.cwd() === "/", globalThis.left, typeof fetch];
  const wanted = [undefined, false, false, undefined, "function"];
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(found));
});
test.run();`;
  const { lastLine, output } = await runOver({ "a.test.ts": leaving, "b.test.ts": finding });
  assert.is(lastLine, "2 passed, 0 failed", output);
});

test("watching runs the files again after a change", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-server-"));
  const file = path.join(folder, "a.test.ts");
  const head = `import { suite } from ${JSON.stringify(UVU)};\nconst test = suite("fixture");\n`;
  fs.writeFileSync(file, head + PASSING);
  const child = spawn(process.execPath, [path.join(HERE, "run.mjs"), "--watch", "--dir", folder]);
  try {
    await printed(child, "2 passed, 0 failed\nwaiting for a change");
    fs.writeFileSync(file, head + FAILING);
    await printed(child, "1 passed, 1 failed\nwaiting for a change");
  } finally {
    child.kill();
    await new Promise((resolve) => child.once("close", resolve));
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test("what a test file has started ends with it", async () => {
  // The left-over process holds a connection to this server as long as it lives.
  const server = net.createServer();
  const ended = new Promise<void>((resolve) => {
    server.once("connection", (socket) => socket.on("error", () => {}).on("close", () => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const program = `require("node:net").connect(${port}, "127.0.0.1", () => console.log("up")).resume()`;
  const body = `
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
test("starts a process and leaves it", async () => {
  const child = spawn(process.execPath, ["-e", ${JSON.stringify(program)}], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.stdout.destroy();
  child.unref();
});
test.run();`;
  try {
    const { lastLine } = await runOver({ "a.test.ts": body });
    assert.is(lastLine, "1 passed, 0 failed");
    await ended;
  } finally {
    server.close();
  }
});

test.run();
