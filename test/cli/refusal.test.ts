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
function assertOneLine(ended: Ended, message: RegExp, code: number): void {
  assert.match(ended.stderr, message);
  assert.is(ended.stderr.trimEnd().split("\n").length, 1, ended.stderr);
  assert.match(ended.stderr, /^activity-server: /);
  assert.not.match(ended.stderr, /\n {4}at |Error:/);
  assert.is(ended.stdout, "");
  assert.is(ended.code, code);
}

interface Refusal {
  readonly name: string;
  readonly words: readonly string[] | ((workshop: Workshop) => Promise<readonly string[]>);
  readonly message: RegExp;
  readonly code: 1 | 2;
}

async function keyFile({ path }: Workshop, content: string): Promise<string[]> {
  await writeFile(path("key"), content, { mode: 0o600 });
  return ["--api-key-file", path("key")];
}

const REFUSALS: readonly Refusal[] = [
  { name: "an unknown flag", words: ["--prot=1"], message: /unknown flag --prot; did you mean --port\?/, code: 2 },
  { name: "a port that browsers refuse", words: ["--port", "6666"], message: /browsers refuse port 6666/, code: 1 },
  {
    name: "another machine's address",
    words: ["--host", "203.0.113.9", "--insecure"],
    message: /not an address of/,
    code: 1,
  },
  {
    name: "a missing key file",
    words: ["--api-key-file", "nowhere"],
    message: /nowhere' cannot be read \(ENOENT\)/,
    code: 1,
  },
  { name: "a folder as key file", words: ["--api-key-file", "."], message: /cannot be read \(EISDIR\)/, code: 1 },
  { name: "an empty key file", words: (shop) => keyFile(shop, " \n\n"), message: /key' is empty/, code: 1 },
  { name: "a key file of two lines", words: (shop) => keyFile(shop, "a\nb\n"), message: /more than one line/, code: 1 },
  { name: "a key beyond ASCII", words: (shop) => keyFile(shop, "schlüssel"), message: /ASCII/, code: 1 },
  {
    name: "an endless key file",
    words: (shop) => keyFile(shop, "k".repeat(5000)),
    message: /too long for a key/,
    code: 1,
  },
  {
    name: "a web folder that does not exist",
    words: ["--webui", "nowhere"],
    message: /nowhere' does not exist/,
    code: 1,
  },
  { name: "a web folder without a page", words: ["--webui", "."], message: /has no index\.html/, code: 1 },
  {
    name: "a file as web folder",
    words: async (shop) => ["--webui", (await keyFile(shop, "x"))[1] as string],
    message: /key' is not a folder/,
    code: 1,
  },
  {
    name: "a file as data folder",
    words: async (shop) => ["--port", "0", "--data", (await keyFile(shop, "x"))[1] as string],
    message: /the data folder .*key' is not a folder/,
    code: 1,
  },
  {
    name: "a data folder below a file",
    words: async (shop) => ["--port", "0", "--data", join((await keyFile(shop, "x"))[1] as string, "a", "b")],
    message: /a\/b' cannot be created: .*key' is not a folder/,
    code: 1,
  },
];

/** In the short tests one of so many starts a program: what one makes of a refusal is the same for all. */
const asPrograms = new Set(sampleOf([...REFUSALS.keys()], 10));

for (const [index, { name, words, message, code }] of REFUSALS.entries()) {
  test(`${name} is refused in one line with exit code ${code}`, () =>
    inside(async (workshop) => {
      const given = typeof words === "function" ? await words(workshop) : words;
      const { run } = asPrograms.has(index) ? workshop.program : workshop;
      assertOneLine(await run(given), message, code);
      assert.not.ok((await readdir(workshop.folder)).some((entry) => entry.startsWith(".local")));
    }));
}

if (process.platform === "linux") {
  test("a data folder in a place that takes none is refused instead of tried forever", () =>
    inside(async ({ run }) => {
      assertOneLine(await run(["--port", "0", "--data", "/proc/a/b/c"]), /'\/proc\/a\/b\/c' cannot be created \(/, 1);
    }));
}

if (process.platform !== "win32" && process.getuid?.() !== 0) {
  test("a folder without the right to write is refused before anything is made", () =>
    inside(async ({ run, path }) => {
      await mkdir(path("closed"));
      await chmod(path("closed"), 0o500);
      assertOneLine(await run(["--port", "0", "--data", path("closed/a/b")]), /no permission to write in .*closed'/, 1);
      await writeFile(path("key"), "secret", { mode: 0o000 });
      assertOneLine(await run(["--api-key-file", path("key")]), /cannot be read \(EACCES\)/, 1);
    }));
}

test("a refusal comes without the warnings of a start", () =>
  inside(async ({ run, path }) => {
    await mkdir(path("data"), { mode: 0o755 });
    await writeFile(path("data/letter.txt"), "hello");
    await writeFile(path("key"), "secret", { mode: 0o644 });
    const ended = await run(["--port", "0", "--data", path("data"), "--api-key-file", path("key")]);
    assertOneLine(ended, /data contains other files, such as letter\.txt; choose another folder/, 1);
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
      assertOneLine(
        ended,
        new RegExp(`'${missing}' is not installed; run: npm install ${missing}@${version}$`, "m"),
        1,
      );
      await rename(away, link);
    }
  }));

test("a Node that cannot require ES modules is told which can", () => {
  const cause = Object.assign(new Error("require() of ES Module"), { code: "ERR_REQUIRE_ESM" });
  assert.match(explainMissingPackage(new Error("it cannot be loaded", { cause }))?.message ?? "", "22.12 or later");
});

test.run();
