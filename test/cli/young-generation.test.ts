import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inWorkshop, stopped } from "./launcher.js";

const test = suite("launcher: young generation of the heap");

const MIB = 1024 * 1024;

/** When the process ends, creates objects that survive for a while, and writes down the size of the young generation. */
const NOTING = `
process.on("exit", () => {
  let kept = [];
  for (let count = 0; count < 2_000_000; count++) {
    kept.push({ count, list: [count] });
    if (kept.length > 50_000) kept = [];
  }
  const space = require("node:v8").getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  require("node:fs").writeFileSync(process.env.SIZE_FILE, String(space.space_size));
});
`;

/** The young generation of a server with some of Node's options after much work, in bytes. */
async function sizeAfterWork(nodeOptions: string): Promise<number> {
  let size = Number.NaN;
  await inWorkshop(async ({ path, start }) => {
    fs.writeFileSync(path("noting.cjs"), NOTING);
    const env = { SIZE_FILE: path("size.txt"), NODE_OPTIONS: `--require ${path("noting.cjs")} ${nodeOptions}` };
    const running = await start(["--storage", "memory"], env);
    assert.is((await stopped(running)).code, 0);
    size = Number(fs.readFileSync(path("size.txt"), "utf8"));
  });
  return size;
}

test("stays small in a server", async () => {
  const size = await sizeAfterWork("");
  assert.ok(size <= 8 * MIB, `${size} bytes`);
});

test("grows as far as the user's own options allow", async () => {
  const size = await sizeAfterWork("--max-semi-space-size=16");
  assert.ok(size > 8 * MIB, `${size} bytes`);
});

test.run();
