// Runs scripts/setup.mjs in made-up projects, with a stand-in for npm that writes down how it was called.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const SCRIPT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../scripts/setup.mjs");
const INSTALL = "install --include=dev --include=optional --no-audit --no-fund --loglevel=error";
const BUILD = "run --silent build";

const MANIFEST = {
  bin: { tool: "./dist/cli.js" },
  exports: {
    ".": { import: { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    "./package.json": "./package.json",
  },
  dependencies: { one: "1.0.0" },
  devDependencies: { two: "^2.0.0" },
};
const PACKAGES = {
  "node_modules/one": { version: "1.0.0" },
  "node_modules/two": { version: "2.1.0" },
  "node_modules/elsewhere": { version: "1.0.0", optional: true, os: ["elsewhere"] },
};
const LOCK = {
  packages: { "": { dependencies: MANIFEST.dependencies, devDependencies: MANIFEST.devDependencies }, ...PACKAGES },
};
const { "node_modules/elsewhere": _, ...INSTALLED } = PACKAGES;

interface Outcome {
  readonly code: number | null;
  readonly printed: readonly string[];
  /** Arguments of each call of npm. */
  readonly calls: readonly string[];
}

interface Project {
  readonly folder: string;
  write(name: string, content: unknown): void;
  remove(name: string): void;
  /** Makes a file or folder look changed after everything else. */
  touch(name: string): void;
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Outcome;
}

/** A project that is installed and built. */
function withProject(use: (project: Project) => void): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-server-"));
  const at = (name: string): string => path.join(folder, name);
  const write = (name: string, content: unknown): void => {
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  };
  const touch = (name: string): void => {
    const later = new Date(Date.now() + 60_000);
    fs.utimesSync(at(name), later, later);
  };
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Outcome => {
    const npm = { npm_execpath: at("npm/npm-cli.js"), CALLS: at("calls") };
    const options = { env: { ...process.env, ...npm, ...env }, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [at("scripts/setup.mjs"), ...args], options);
    const calls = fs.existsSync(at("calls")) ? fs.readFileSync(at("calls"), "utf8") : "";
    const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
    return { code: status, printed: lines(stdout + stderr), calls: lines(calls) };
  };
  try {
    fs.mkdirSync(at("scripts"));
    fs.copyFileSync(SCRIPT, at("scripts/setup.mjs"));
    write("package.json", MANIFEST);
    write("package-lock.json", LOCK);
    write("node_modules/.package-lock.json", { packages: INSTALLED });
    for (const name of Object.keys(INSTALLED)) write(`${name}/package.json`, "{}");
    for (const name of ["src/index.ts", "src/deep/a.ts", "adapters/memory.ts"]) write(name, "");
    write(
      "npm/npm-cli.js",
      `require("node:fs").appendFileSync(process.env.CALLS, process.argv.slice(2).join(" ") + "\\n");
       if (process.env.BREAK) { console.error("npm says why"); process.exit(7); }`,
    );
    for (const name of ["dist/cli.js", "dist/index.js", "dist/index.d.ts"]) write(name, "");
    for (const name of ["dist/cli.js", "dist/index.js", "dist/index.d.ts"]) {
      const soon = new Date(Date.now() + 30_000);
      fs.utimesSync(at(name), soon, soon);
    }
    use({ folder, write, touch, run, remove: (name) => fs.rmSync(at(name), { recursive: true }) });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const CASES: readonly {
  readonly name: string;
  readonly change: (project: Project) => void;
  readonly args?: readonly string[];
  readonly calls: readonly string[];
  readonly says?: RegExp;
}[] = [
  { name: "a project in order is left alone, silently", change: () => {}, args: ["--build"], calls: [] },
  {
    name: "a fresh clone is installed and built",
    change: ({ remove }) => ["node_modules", "dist"].forEach(remove),
    args: ["--build"],
    calls: [INSTALL, BUILD],
    says: /^setup: installing packages, node_modules is missing\nsetup: building, dist is missing/,
  },
  {
    name: "without --build nothing is built",
    change: ({ remove }) => ["node_modules", "dist"].forEach(remove),
    calls: [INSTALL],
  },
  {
    name: "another version in the lock file is installed",
    change: ({ write }) =>
      write("package-lock.json", { packages: { ...LOCK.packages, "node_modules/two": { version: "2.2.0" } } }),
    calls: [INSTALL],
    says: /node_modules\/two is not at version 2\.2\.0/,
  },
  {
    name: "a package that only package.json names is installed",
    change: ({ write }) => write("package.json", { ...MANIFEST, optionalDependencies: { three: "3.0.0" } }),
    calls: [INSTALL],
    says: /package\.json asks for three 3\.0\.0/,
  },
  {
    name: "a deleted package is installed again",
    change: ({ remove }) => remove("node_modules/one"),
    calls: [INSTALL],
    says: /node_modules\/one is missing/,
  },
  {
    name: "a changed source is built",
    change: ({ touch }) => touch("src/deep/a.ts"),
    args: ["--build"],
    calls: [BUILD],
  },
  {
    name: "a changed adapter is built",
    change: ({ touch }) => touch("adapters/memory.ts"),
    args: ["--build"],
    calls: [BUILD],
  },
  {
    name: "a changed package.json is built",
    change: ({ touch }) => touch("package.json"),
    args: ["--build"],
    calls: [BUILD],
  },
  {
    name: "a source that was deleted is noticed by its folder",
    change: ({ touch }) => touch("src/deep"),
    args: ["--build"],
    calls: [BUILD],
  },
  {
    name: "half a build is made whole",
    change: ({ remove }) => remove("dist/index.d.ts"),
    args: ["--build"],
    calls: [BUILD],
  },
];

const test = suite("setup");

for (const { name, change, args = [], calls, says = calls.length === 0 ? /^$/ : /^setup: / } of CASES) {
  test(name, () => {
    withProject((project) => {
      change(project);
      const outcome = project.run(args);
      assert.equal([outcome.code, outcome.calls], [0, calls]);
      assert.match(outcome.printed.join("\n"), says);
    });
  });
}

test("a failing npm is told in one line, after its own words", () => {
  withProject(({ remove, run }) => {
    remove("node_modules");
    const { code, printed, calls } = run(["--build"], { BREAK: "1" });
    assert.equal([code, calls], [1, [INSTALL]]);
    assert.equal(printed.slice(1), ["npm says why", "setup: npm install failed (exit code 7), see above"]);
  });
});

test("a Node that is too old is told in one line", () => {
  withProject(({ folder, write, run }) => {
    write("old.cjs", 'Object.defineProperty(process.versions, "node", { value: "20.18.3" });');
    const { code, printed, calls } = run([], {
      NODE_OPTIONS: `--require ${JSON.stringify(path.join(folder, "old.cjs"))}`,
    });
    assert.equal([code, calls], [1, []]);
    assert.equal(printed, ["setup: Node 20.18.3 is too old, this project needs Node 20.19 or newer"]);
  });
});

test.run();
