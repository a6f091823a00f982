import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestServer, realisticDay } from "activity-server/testing";

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));
const run = promisify(execFile);

test("the program prints the report of a server on another port", async () => {
  const server = createTestServer();
  try {
    await server.load(realisticDay());
    const { url } = await server.listen();
    const { stdout } = await run(process.execPath, [MAIN, url, "2024-03-01"]);
    assert.match(stdout, /^ +\d+\.\d min {2}Code$/m);
    assert.match(stdout, /^ +\d+\.\d min {2}Firefox$/m);
    await server.reset();
    await assert.rejects(run(process.execPath, [MAIN, url, "2024-03-01"]), /no window watcher has reported yet/);
  } finally {
    await server.close();
  }
});
