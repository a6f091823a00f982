import readline from "node:readline";
import { leveldb } from "../../adapters/leveldb/index.js";
import { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf } from "../contract/case.js";

// Child program of leveldb-open.test.ts: opens the folder given, tells so, and puts one event for each line it reads.
const folder = process.argv[2] as string;

try {
  const storage = leveldb({ path: folder });
  await storage.createBucket(bucketOf("child"));
  process.stdout.write("open\n");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    await storage.putEvents("child", [draftOf(Number(line))]);
    process.stdout.write(`put ${await storage.countEvents("child")}\n`);
  }
  await storage.close();
} catch (thrown) {
  process.stdout.write(`${ActivityError.is(thrown) ? thrown.code : String(thrown)}\n`);
}
