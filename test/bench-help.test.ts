// The commands of bench/ say how they are called.
import { spawnSync } from "node:child_process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { programOf } from "./program.js";

const test = suite("bench");

const COMMANDS: Readonly<Record<string, URL>> = {
  "npm run bench": new URL("../bench/index.ts", import.meta.url),
  "npm run bench:smoke": new URL("../bench/smoke.ts", import.meta.url),
};

for (const [name, url] of Object.entries(COMMANDS)) {
  test(`${name} -- --help prints the usage`, () => {
    const { execArgv, file } = programOf(url);
    const { status, stdout, stderr } = spawnSync(process.execPath, [...execArgv, file, "--help"], { encoding: "utf8" });
    assert.is(status, 0, stderr);
    assert.ok(stdout.startsWith(`${name} -- [`), stdout);
  });
}

test.run();
