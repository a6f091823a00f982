// A data folder that cannot be written to, such as the read-only mount of a disk that failed.
import { execFile } from "node:child_process";
import { chmod, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { listing } from "../adapters/folder.js";
import { countIn, fill } from "../adapters/opening.js";
import { inside } from "../cli/inside.js";

const test = suite("read-only folder");
const run = promisify(execFile);

/** Runs a body while nothing in a folder can be written; root needs a mount for that. @returns whether it could */
async function whileFixed(folder: string, body: () => Promise<void>): Promise<boolean> {
  if (process.platform === "win32") return false;
  if (process.getuid?.() !== 0) {
    await run("chmod", ["-R", "a-w", folder]);
    await body().finally(() => run("chmod", ["-R", "u+w", folder]));
    return true;
  }
  const isMounted = await run("mount", ["--bind", folder, folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) return false;
  try {
    await run("mount", ["-o", "remount,ro,bind", folder]);
    await body();
  } finally {
    await run("umount", ["--lazy", folder]);
  }
  return true;
}

test("it is verified and backed up, nothing in it changes, and nothing stays behind", () =>
  inside(async ({ path, run: tool, told }) => {
    const folder = path("data");
    const count = await fill(folder);
    const before = await listing(folder);
    const could = await whileFixed(folder, async () => {
      assert.match(await told(["verify", "--data", folder]), "sound: 2 buckets");
      await told(["backup", "--data", folder, "--to", path("backup.jsonl")]);
      // Its writers are still refused.
      const server = await tool(["--port", "0", "--data", folder]);
      assert.is(server.code, 1);
    });
    if (!could) return console.log("left out: no folder can be made read-only here");
    assert.equal(await listing(folder), before);
    assert.equal(
      (await readdir(tmpdir())).filter((name) => name.startsWith("activity-server-view.")),
      [],
    );
    await told(["restore", path("backup.jsonl"), "--data", path("restored")]);
    assert.is(await countIn(path("restored")), count);
  }));

test("its damage is found, and the message names it rather than the view", () =>
  inside(async ({ path, run: tool }) => {
    const folder = path("data");
    await fill(folder);
    await run("rm", [join(folder, "db", "CURRENT")]);
    await whileFixed(folder, async () => {
      const verified = await tool(["verify", "--data", folder]);
      assert.is(verified.code, 1);
      assert.match(verified.stderr, `folder ${folder} is damaged`);
    });
    await chmod(folder, 0o700);
  }));

test.run();
