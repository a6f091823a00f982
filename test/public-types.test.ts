// The report of the public types says what the build declares. Uses the build in dist, which the runner makes.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ROOT } from "./package/tarball.js";

const SCRIPT = path.join(ROOT, "scripts/public-types.mjs");
const REPORT = "test/public-types.txt";
const UPDATE = "npm run build && node scripts/public-types.mjs --update";

/** A package whose entries say a little of everything that declarations can say. */
const SMALL: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "small",
    exports: {
      ".": { import: { types: "./types/index.d.ts" }, require: { types: "./types/index.d.cts" } },
      "./more": { import: { types: "./types/more/index.d.ts" } },
      "./package.json": "./package.json",
    },
  }),
  "types/index.d.ts": `import type { Other } from "other";
export { type B, make as create } from "./more/b.js";
/** Says /* nothing. */
export interface A extends Other {
    /** A member. */
    readonly b: "a; } // b" | \`\${number}s\`;
    hidden(): Hidden; // what it gives
}
interface Hidden {
    readonly deep: Deep[];
}
type Deep = {
    a: string;
} | null;
type Unused = string;
export declare const VERSION: string;
export {};
`,
  "types/more/index.d.ts": 'export type { B } from "./b.js";\nexport declare class C {\n    #private;\n}\n',
  "types/more/b.d.ts":
    "export interface B {\n    readonly name: string;\n}\nexport declare function make(b: B): void;\nexport declare function make(): B;\n",
};
const SMALL_REPORT = `# small

interface A extends Other {
  readonly b: "a; } // b" | \`\${number}s\`;
  hidden(): Hidden;
}

interface B {
  readonly name: string;
}

const VERSION: string;

make as create:
function make(b: B): void;
function make(): B;

# small/more

B: see small

class C {
  #private;
}

# not exported, but named by what is above

type Deep = {
  a: string;
} | null;

interface Hidden {
  readonly deep: Deep[];
}
`;

function run(cwd: string, ...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd, encoding: "utf8" });
  return { status, text: stdout + stderr };
}

function withSmall(body: (folder: string, write: (name: string, text: string) => void) => void): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "public-types-"));
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  };
  try {
    for (const [name, text] of Object.entries(SMALL)) write(name, text);
    write(REPORT, "");
    body(folder, write);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const test = suite("public types");

test("the report is that of the build", () => {
  const { status, text } = run(ROOT);
  assert.is(status, 0, `\n${text}`);
});

test("every entry of the package is in it", () => {
  const { exports } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const report = fs.readFileSync(path.join(ROOT, REPORT), "utf8");
  const entries = Object.keys(exports).filter((key) => key !== "./package.json");
  const titles = [...report.matchAll(/^# (activity-server.*)$/gm)].map(([, title]) => title);
  assert.equal(
    titles,
    entries.map((key) => path.posix.join("activity-server", key)),
  );
});

test("it has each export without its comments, where it first comes, and what exports name", () =>
  withSmall((folder) => {
    assert.is(run(folder, "--update").status, 0);
    const report = fs.readFileSync(path.join(folder, REPORT), "utf8");
    assert.is(report.slice(report.indexOf("# small")), SMALL_REPORT);
    assert.equal(run(folder), { status: 0, text: "" });
  }));

test("a change is shown by its lines, with the command that accepts it", () =>
  withSmall((folder, write) => {
    run(folder, "--update");
    write("types/more/b.d.ts", SMALL["types/more/b.d.ts"]?.replace("name: string", "title: string") ?? "");
    const { status, text } = run(folder);
    assert.is(status, 1);
    assert.match(text, /@@ line \d+\n- {2}readonly name: string;\n\+ {2}readonly title: string;\n\n/);
    assert.ok(text.includes(UPDATE), text);
  }));

test("a form that it does not know is an error, not a gap", () =>
  withSmall((folder, write) => {
    write("types/more/b.d.ts", "export * from './c.js';\n");
    const { status, text } = run(folder, "--update");
    assert.is(status, 1);
    assert.match(text, /a form that this script does not know: export \*/);
  }));

test.run();
