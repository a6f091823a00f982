// long: 300 s
import { chmod, cp, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { explainMissingPackage } from "../../src/cli/packages.js";
import { sampleOf } from "../faults/sizes.js";
import { inside } from "./inside.js";
import { CLI, type Ended, type Workshop } from "./launcher.js";

const test = suite("launcher refusals");

/** One line on stderr, nothing on stdout, no stack trace. */
function assertOneLine(ended: Ended, message: RegExp): void {
  assert.match(ended.stderr, message);
  assert.is(ended.stderr.trimEnd().split("\n").length, 1, ended.stderr);
  assert.match(ended.stderr, /^activity-server: /);
  assert.not.match(ended.stderr, /\n {4}at |Error:/);
  assert.is(ended.stdout, "");
  assert.is(ended.code, 1);
}

type Words = readonly string[] | ((workshop: Workshop) => Promise<readonly string[]>);

async function keyFile({ path }: Workshop, content: string): Promise<string[]> {
  await writeFile(path("key"), content, { mode: 0o600 });
  return ["--api-key-file", path("key")];
}

/** Names a file in the place of a folder. */
const inPlaceOf = (flag: string, ...below: readonly string[]): Words => {
  return async (shop) => ["--port", "0", flag, join((await keyFile(shop, "x"))[1] as string, ...below)];
};

/** What stops a start. That wrong usage has exit code 2 is shown by options.test.ts and with --json. */
const REFUSALS: readonly (readonly [name: string, words: Words, message: RegExp])[] = [
  ["a port that browsers refuse", ["--port", "6666"], /browsers refuse port 6666/],
  ["another machine's address", ["--host", "203.0.113.9", "--insecure"], /not an address of/],
  ["a missing key file", ["--api-key-file", "nowhere"], /nowhere' cannot be read \(ENOENT\)/],
  ["a folder as key file", ["--api-key-file", "."], /cannot be read \(EISDIR\)/],
  ["an empty key file", (shop) => keyFile(shop, " \n\n"), /key' is empty/],
  ["a key file of two lines", (shop) => keyFile(shop, "a\nb\n"), /more than one line/],
  ["a key beyond ASCII", (shop) => keyFile(shop, "schlüssel"), /ASCII/],
  ["an endless key file", (shop) => keyFile(shop, "k".repeat(5000)), /too long for a key/],
  ["a web folder that does not exist", ["--webui", "nowhere"], /nowhere' does not exist/],
  ["a web folder without a page", ["--webui", "."], /has no index\.html/],
  ["a file as web folder", inPlaceOf("--webui"), /key' is not a folder/],
  ["a file as data folder", inPlaceOf("--data"), /the data folder .*key' is not a folder/],
  ["a data folder below a file", inPlaceOf("--data", "a", "b"), /a\/b' cannot be created: .*key' is not a folder/],
];

/** In the short tests one of so many starts a program: what one makes of a refusal is the same for all. */
const asPrograms = new Set(sampleOf([...REFUSALS.keys()], 10));

for (const [index, [name, words, message]] of REFUSALS.entries()) {
  test(`${name} is refused in one line`, () =>
    inside(async (workshop) => {
      const given = typeof words === "function" ? await words(workshop) : words;
      const { run } = asPrograms.has(index) ? workshop.program : workshop;
      assertOneLine(await run(given), message);
      assert.not.ok((await readdir(workshop.folder)).some((entry) => entry.startsWith(".local")));
    }));
}

if (process.platform === "linux") {
  test("a data folder in a place that takes none is refused instead of tried forever", () =>
    inside(async ({ run }) => {
      assertOneLine(await run(["--port", "0", "--data", "/proc/a/b/c"]), /'\/proc\/a\/b\/c' cannot be created \(/);
    }));
}

if (process.platform !== "win32" && process.getuid?.() !== 0) {
  test("a folder without the right to write is refused before anything is made", () =>
    inside(async ({ run, path }) => {
      await mkdir(path("closed"));
      await chmod(path("closed"), 0o500);
      assertOneLine(await run(["--port", "0", "--data", path("closed/a/b")]), /no permission to write in .*closed'/);
      await writeFile(path("key"), "secret", { mode: 0o000 });
      assertOneLine(await run(["--api-key-file", path("key")]), /cannot be read \(EACCES\)/);
    }));
}

test("a refusal comes without the warnings of a start", () =>
  inside(async ({ run, path }) => {
    await mkdir(path("data"), { mode: 0o755 });
    await writeFile(path("data/letter.txt"), "hello");
    await writeFile(path("key"), "secret", { mode: 0o644 });
    const ended = await run(["--port", "0", "--data", path("data"), "--api-key-file", path("key")]);
    assertOneLine(ended, /data contains other files, such as letter\.txt; choose another folder/);
  }));

test("with --json a refusal is one JSON line on stderr", () =>
  inside(async ({ run }) => {
    for (const [words, env] of [
      [["--json", "--prot"], {}] as const,
      [["--prot"], { ACTIVITY_SERVER_JSON: "1" }] as const,
    ]) {
      const ended = await run(words, env);
      assert.equal(JSON.parse(ended.stderr), {
        event: "error",
        message: "unknown flag --prot; did you mean --port?",
        exitCode: 2,
      });
      assert.is(ended.stdout, "");
      assert.is(ended.code, 2);
    }
  }));

test("with --verbose a refusal carries its stack trace", () =>
  inside(async ({ program }) => {
    const { stderr } = await program.run(["--verbose", "--webui", "nowhere"]);
    assert.match(stderr, /^activity-server: the web interface folder .* does not exist\nLaunchError: .*\n {4}at /);
  }));

test("help and version go to stdout with exit code 0, whatever else is said", () =>
  inside(async ({ run, program }) => {
    const help = await program.run(["--help", "--bogus"]);
    assert.match(help.stdout, /^activity-server: .*\n\nUsage: activity-server \[FLAGS\]/);
    assert.is(help.code, 0);
    const { version } = JSON.parse(await readFile(join(dirname(CLI), "..", "package.json"), "utf8")) as {
      version: string;
    };
    for (const ended of [await run(["--version"]), await program.run(["-v"])]) {
      assert.is(ended.stdout, `activity-server ${version}\n`);
      assert.is(ended.stderr, "");
      assert.is(ended.code, 0);
    }
  }));

/** A copy of the built package beside links to all installed packages. @returns its launcher */
async function install({ path }: Workshop): Promise<string> {
  const root = join(dirname(CLI), "..");
  await cp(dirname(CLI), path("package/dist"), { recursive: true });
  await cp(join(root, "package.json"), path("package/package.json"));
  await mkdir(path("package/node_modules"));
  for (const name of await readdir(join(root, "node_modules"))) {
    await symlink(join(root, "node_modules", name), path(`package/node_modules/${name}`), "junction");
  }
  return path("package/dist/cli.cjs");
}

/** A file that looks like a database, in which nothing else is. */
const DATABASE = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4080)]);
const HAS_SQLITE = process.getBuiltinModule?.("node:sqlite") !== undefined;

test("without a package that it needs it says what to install", () =>
  inside(async (workshop) => {
    const { path, program } = workshop;
    const entry = await install(workshop);
    await writeFile(path("peewee.db"), DATABASE);
    const { optionalDependencies, peerDependencies } = JSON.parse(await readFile(path("package/package.json"), "utf8"));
    for (const [missing, version, ...args] of [
      ["listhen", "1", "--port", "0", "--qr"],
      ["classic-level", "3", "--port", "0"],
      ["node-forge", "1", "--port", "0", "--tls"],
      ["pg", "8", "--storage", "postgres"],
      ...(HAS_SQLITE
        ? []
        : [["node-sqlite3-wasm", "0.8", "import", "--from", path("peewee.db"), "--data", path("data")]]),
    ] as const) {
      assert.match({ ...optionalDependencies, ...peerDependencies }[missing], new RegExp(`^\\^?${version}\\.`));
      const [link, away] = [path(`package/node_modules/${missing}`), path("away")];
      await rename(link, away);
      const env = { ACTIVITY_SERVER_DATABASE_URL: "postgres:///none" };
      const ended = await program.run(args, env, entry);
      assertOneLine(ended, new RegExp(`'${missing}' is not installed; run: npm install ${missing}@${version}$`, "m"));
      await rename(away, link);
    }
  }));

test("a Node that cannot require ES modules is told which can", () => {
  const cause = Object.assign(new Error("require() of ES Module"), { code: "ERR_REQUIRE_ESM" });
  assert.match(explainMissingPackage(new Error("it cannot be loaded", { cause }))?.message ?? "", "22.12 or later");
});

test.run();
