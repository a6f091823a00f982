// `npm test` skips files that passed the lint before. A broken file must not pass with them.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withFolder } from "./adapters/folder.js";

const test = suite("lint of changed files");

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const GOOD = "export const a = 1;\n";
const LOOSE = "export let a = 12;\n";

test("a file passes again only if neither it nor a setting has changed", () =>
  withFolder(async (folder) => {
    const place = (name: string) => path.join(folder, name);
    const write = (name: string, text: string) => fs.writeFileSync(place(name), text);
    const allowLet = (useConst: "off" | "error") => {
      const files = { includes: ["*.ts"] };
      const settings = { json: { formatter: { enabled: false } }, files, linter: { rules: { style: { useConst } } } };
      write("biome.json", JSON.stringify(settings));
    };
    const lint = () => {
      const program = path.join(ROOT, "test/runner/lint.mjs");
      const { status, stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
      return { isGreen: status === 0, checked: Number(/Checked (\d+)/.exec(stdout)?.[1] ?? 0), text: stdout + stderr };
    };
    const assertLint = (isGreen: boolean, checked: number) => {
      const found = lint();
      assert.equal([found.isGreen, found.checked], [isGreen, checked], found.text);
    };
    spawnSync("git", ["init", "-q"], { cwd: folder });
    fs.mkdirSync(place("node_modules"));
    fs.symlinkSync(path.join(ROOT, "node_modules/@biomejs"), place("node_modules/@biomejs"));
    write(".gitignore", "node_modules\n");
    write("package.json", "{}\n");
    allowLet("off");
    write("a.ts", GOOD);
    write("b.ts", GOOD);
    assertLint(true, 3);
    assertLint(true, 0);

    const { atime, mtime } = fs.statSync(place("b.ts"));
    write("b.ts", GOOD.replace(" 1", "1 "));
    fs.utimesSync(place("b.ts"), atime, mtime);
    assertLint(false, 1);
    assertLint(false, 1);
    write("b.ts", LOOSE);
    assertLint(true, 1);
    fs.rmSync(place("a.ts"));
    assertLint(true, 0);

    allowLet("error");
    assertLint(false, 2);
  }));

test.run();
