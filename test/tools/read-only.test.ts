// A data folder that cannot be written to, such as the read-only mount of a disk that failed.
import { chmod, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { listing } from "../adapters/folder.js";
import { countIn, fill } from "../adapters/opening.js";
import { inside } from "../cli/inside.js";
import { whileFixed } from "./fixed-folder.js";

const test = suite("read-only folder");

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
    await rm(join(folder, "db", "CURRENT"));
    await whileFixed(folder, async () => {
      const verified = await tool(["verify", "--data", folder]);
      assert.is(verified.code, 1);
      assert.match(verified.stderr, `folder ${folder} is damaged`);
    });
    await chmod(folder, 0o700);
  }));

test.run();
