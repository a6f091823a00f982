// long: 120 s
// Runs scripts/setup.mjs in made-up projects, with a stand-in for npm that writes down how it was called.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sampleOf } from "./faults/sizes.js";

const SCRIPT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../scripts/setup.mjs");
const FLAGS = "--include=dev --include=optional --no-audit --no-fund --loglevel=error";
const CI = `ci ${FLAGS}`;
const INSTALL = `install ${FLAGS}`;
const BUILD = "run --silent build";

const MANIFEST = {
  bin: { tool: "./dist/cli.cjs" },
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

/** What the build reads, one file of each kind. */
const SOURCES = [
  ...["src/index.ts", "src/deep/a.ts", "src/web/index.html", "adapters/memory.ts", "test/contract/index.ts"],
  ...["scripts/web.mjs", "scripts/api-browser.mjs", "scripts/page-files.mjs", "scripts/types.mjs"],
  ...["scripts/third-party.mjs"],
  ...["tsup.config.ts", "tsconfig.json", "tsconfig.build.json"],
];
const BUILT = [
  ...["dist/cli.cjs", "dist/index.js", "dist/index.d.ts", "dist/pages/none.cjs"],
  ...["dist/pages/dashboard.cjs", "dist/pages/api-browser.cjs"],
];

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
    for (const name of SOURCES) write(name, "");
    write(
      "npm/npm-cli.js",
      `require("node:fs").appendFileSync(process.env.CALLS, process.argv.slice(2).join(" ") + "\\n");
       if (process.env.BREAK?.split(" ").includes(process.argv[2])) { console.error("npm says why"); process.exit(7); }`,
    );
    for (const name of BUILT) {
      write(name, "");
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
    calls: [CI, BUILD],
    says: /^setup: installing packages, node_modules is missing\nsetup: building, dist is missing/,
  },
  {
    name: "without --build nothing is built",
    change: ({ remove }) => ["node_modules", "dist"].forEach(remove),
    calls: [CI],
  },
  {
    name: "another version in the lock file is installed",
    change: ({ write }) =>
      write("package-lock.json", { packages: { ...LOCK.packages, "node_modules/two": { version: "2.2.0" } } }),
    calls: [CI],
    says: /node_modules\/two is not at version 2\.2\.0/,
  },
  {
    name: "a package that only package.json names is installed, and put into the lock",
    change: ({ write }) => write("package.json", { ...MANIFEST, optionalDependencies: { three: "3.0.0" } }),
    calls: [INSTALL],
    says: /package\.json asks for three 3\.0\.0/,
  },
  {
    name: "a missing lock is written",
    change: ({ remove }) => ["node_modules", "package-lock.json"].forEach(remove),
    calls: [INSTALL],
    says: /package-lock\.json is missing/,
  },
  {
    name: "a deleted package is installed again",
    change: ({ remove }) => remove("node_modules/one"),
    calls: [CI],
    says: /node_modules\/one is missing/,
  },
  ...sampleOf([...SOURCES, "package.json", "package-lock.json"], 3).map((name) => ({
    name: `a changed ${name} is built`,
    change: ({ touch }: Project) => touch(name),
    args: ["--build"],
    calls: [BUILD],
  })),
  {
    name: "a source that was deleted is noticed by its folder",
    change: ({ touch }) => touch("src/deep"),
    args: ["--build"],
    calls: [BUILD],
  },
  ...sampleOf(BUILT, 2).map((name) => ({
    name: `a build without ${name} is made whole`,
    change: ({ remove }: Project) => remove(name),
    args: ["--build"],
    calls: [BUILD],
  })),
];

const test = suite("setup");

for (const { name, change, args = [], calls, says = calls.length === 0 ? /^$/ : /^setup: / } of sampleOf(CASES, 2)) {
  test(name, () => {
    withProject((project) => {
      change(project);
      const outcome = project.run(args);
      assert.equal([outcome.code, outcome.calls], [0, calls]);
      assert.match(outcome.printed.join("\n"), says);
    });
  });
}

test("every file that the build script names is among those", () => {
  const { build } = JSON.parse(fs.readFileSync(path.resolve(SCRIPT, "../../package.json"), "utf8")).scripts;
  const named: string[] = build.match(/[\w/.-]+\.(?:mjs|json)/g);
  assert.is(named.length, 5);
  assert.equal(
    named.filter((name) => !SOURCES.includes(name)),
    [],
  );
});

test("npm install takes over when npm ci fails, and says so", () => {
  withProject(({ remove, run }) => {
    remove("node_modules");
    const { code, printed, calls } = run([], { BREAK: "ci" });
    assert.equal([code, calls], [0, [CI, INSTALL]]);
    assert.equal(printed.slice(1), [
      "npm says why",
      "setup: npm ci failed (exit code 7), see above; trying npm install, which may change package-lock.json",
    ]);
  });
});

test("a failing npm is told in one line, after its own words", () => {
  withProject(({ remove, run }) => {
    remove("node_modules");
    const { code, printed, calls } = run(["--build"], { BREAK: "ci install" });
    assert.equal([code, calls], [1, [CI, INSTALL]]);
    assert.equal(printed.slice(-2), ["npm says why", "setup: npm install failed (exit code 7), see above"]);
  });
});

test("a failing build is told in one line, after its own words", () => {
  withProject(({ remove, run }) => {
    remove("dist");
    const { code, printed, calls } = run(["--build"], { BREAK: "run" });
    assert.equal([code, calls], [1, [BUILD]]);
    assert.equal(printed.slice(-2), ["npm says why", "setup: npm run build failed (exit code 7), see above"]);
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
