// The model test must notice each of many mistakes in the segment engine.
// long: 1200 s
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withFolder } from "../adapters/folder.js";
import { detailsOf } from "../faults/sizes.js";
import { MUTANTS } from "./mutants.js";

const test = suite("mutants");
const inLongTests = detailsOf(test);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Most plays for one mutant, from this seed on. */
const PLAYS = 240;
const SEED = 1;

const ALL = Object.entries(MUTANTS).flatMap(([file, mutants]) => mutants.map((mutant) => [file, ...mutant] as const));

/** `MUTANT=digest` tries those whose names contain it. */
for (const [place, name, code, mistake] of ALL.filter(([, name]) => name.includes(process.env.MUTANT ?? ""))) {
  inLongTests(`noticed: ${name}`, () =>
    withFolder(async (folder) => {
      for (const name of ["src", "adapters", "test", "package.json", "tsconfig.json"]) {
        await fs.cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
      }
      await fs.symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
      const file = path.join(folder, "adapters/segments", place);
      const source = await fs.readFile(file, "utf8");
      assert.is(source.split(code).length, 2, `${place} has no such code any more: ${code}`);
      const mistaken = source.replace(code, () => mistake);
      await fs.writeFile(file, mistaken);
      const output = await plays(folder);
      assert.match(output, /; a difference$/m, `no play of ${PLAYS} noticed it`);
    }),
  );
}

test("each mutant still changes the code", async () => {
  for (const [file, , code] of ALL) {
    const source = await fs.readFile(path.join(ROOT, "adapters/segments", file), "utf8");
    assert.is(source.split(code).length, 2, `${file} has no such code any more: ${code}`);
  }
});

test.run();

function plays(folder: string): Promise<string> {
  const words = ["--storage", "memory-level", "--seed", SEED, "--plays", PLAYS, "--minutes", 15, "--tries", 0];
  const child = spawn(process.execPath, ["--import", "tsx", "test/model/run.ts", ...words.map(String)], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}
