// The runner decides what counts as green, so it is tried on every way in which uvu looks greener than it is.
import { spawn } from "node:child_process";
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

const PASSING = 'test("a", () => {});\ntest("b", () => {});\ntest.run();\n';

const RED: readonly { name: string; body: string; lastLine: string; says: RegExp }[] = [
  {
    name: "a failing test",
    body: 'test("a", () => {});\ntest("b", () => { throw new Error("told why"); });\ntest.run();',
    lastLine: "1 passed, 1 failed",
    says: /told why/,
  },
  {
    name: "a hook that throws",
    body: 'test.before(() => { throw new Error("hook"); });\ntest("a", () => {});\ntest("b", () => {});\ntest.run();',
    lastLine: "0 passed, 2 failed",
    says: /2 of 2 failed or did not run/,
  },
  {
    name: "a forgotten run()",
    body: 'test("a", () => {});',
    lastLine: "0 passed, 1 failed",
    says: /no closing block, exit 0/,
  },
  { name: "a suite without tests", body: "test.run();", lastLine: "0 passed, 1 failed", says: /no test at all/ },
  {
    name: "a skipped test",
    body: 'test("a", () => {});\ntest.skip("b", () => {});\ntest.run();',
    lastLine: "1 passed, 1 failed",
    says: /1 skipped/,
  },
  {
    name: "a test that is the only one to run",
    body: `test("a", () => {});\n${ONLY}("b", () => {});\ntest.run();`,
    lastLine: "0 passed, 1 failed",
    says: /\.only left in line 4/,
  },
  {
    name: "an exit code beside passing tests",
    body: `${PASSING}process.on("exit", () => { process.exitCode = 3; });`,
    lastLine: "2 passed, 1 failed",
    says: /exit 3/,
  },
  {
    name: "a promise that never settles",
    body: 'test("a", () => new Promise(() => {}));\ntest.run();',
    lastLine: "0 passed, 1 failed",
    says: /no closing block/,
  },
  {
    name: "a file that does not load",
    body: 'import "./missing.js";',
    lastLine: "0 passed, 1 failed",
    says: /missing\.js/,
  },
  {
    name: "a file that never ends",
    body: '// time limit: 1 s\ntest("a", () => new Promise(() => setInterval(() => {}, 1000)));\ntest.run();',
    lastLine: "0 passed, 1 failed",
    says: /time limit of 1 s/,
  },
];

const test = suite("test runner");

test("passing files are counted", async () => {
  const { code, lastLine } = await runOver({ "a.test.ts": PASSING, "deep/b.test.ts": PASSING });
  assert.equal([code, lastLine], [0, "4 passed, 0 failed"]);
});

test("only test files run, and recorded cases are none", async () => {
  const failing = "throw new Error();";
  const { lastLine } = await runOver({ "a.test.ts": PASSING, "b.ts": failing, "conformance/c.test.ts": failing });
  assert.is(lastLine, "2 passed, 0 failed");
});

test("names choose files", async () => {
  const { lastLine } = await runOver({ "alpha.test.ts": PASSING, "beta.test.ts": "" }, ["alpha"]);
  assert.is(lastLine, "2 passed, 0 failed");
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

for (const { name, body, lastLine, says } of RED) {
  test(`${name} is red`, async () => {
    const outcome = await runOver({ "a.test.ts": body });
    assert.equal([outcome.code, outcome.lastLine], [1, lastLine], outcome.output);
    assert.match(outcome.output, says);
  });
}

test("a red file does not hide what a green one counts", async () => {
  const { code, lastLine } = await runOver({ "a.test.ts": "test.run();", "b.test.ts": PASSING });
  assert.equal([code, lastLine], [1, "2 passed, 1 failed"]);
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
import { spawn } from "node:child_process";
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
