// Transactions of a process that is killed at any moment: what an opening finds is what one of them left, none before
// the last that was acknowledged.
// long: 600 s
import { spawn } from "node:child_process";
import readline from "node:readline";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { programOf } from "../program.js";
import { withFolder } from "./folder.js";
import { PLACES, roundOf } from "./transact-rounds.js";

const test = suite("transactions through kills");
const KILLS = sizeOf("TRANSACTION_KILLS", { short: 2, long: 120 });

/** Runs rounds until some were acknowledged and a while has passed, then kills. @returns the last one that was told */
async function killedAfter(folder: string, rounds: number, millis: number): Promise<number> {
  const { execArgv, file } = programOf(new URL("./transact-rounds.ts", import.meta.url));
  const env = { ...process.env, TRANSACT_ROUNDS: "1" };
  const child = spawn(process.execPath, [...execArgv, file, folder], { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let last = 0;
  let told = 0;
  for await (const line of readline.createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++told === rounds) setTimeout(() => child.kill("SIGKILL"), millis);
  }
  await ended;
  return last;
}

test(`${KILLS} kills leave each transaction whole or undone`, () =>
  withFolder(async (folder) => {
    const random = randomOf(7);
    const first = leveldb({ path: folder });
    await first.createBucket(bucketOf(PLACES[0]));
    await first.close();
    for (let kill = 0; kill < KILLS; kill++) {
      const acknowledged = await killedAfter(folder, intOf(random, 1, 6), intOf(random, 0, 40));
      assert.ok(acknowledged > 0, "no round was acknowledged");
      const storage = leveldb({ path: folder });
      const found = await roundOf(storage);
      const problems = (await storage.verify()).problems;
      await storage.close();
      assert.equal(problems, [], `kill ${kill}`);
      assert.ok(found !== undefined, `kill ${kill}: a part of a transaction is there`);
      assert.ok(found >= acknowledged, `kill ${kill}: round ${found} was found, ${acknowledged} was acknowledged`);
    }
  }));

test.run();
