// long: 300 s
import { suite } from "uvu";
import type { Storage } from "../src/storage/storage.js";
import { openAt } from "./adapters/unstorage-drivers.js";
import { fsLiteGround, memoryGround, redisGround } from "./adapters/unstorage-grounds.js";
import { conformanceSuite } from "./codec/conformance.js";

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

for (const ground of grounds) {
  const every = ground.driver === "memory" ? 4 : 12;
  const withStorage = async (play: (storage: Storage) => Promise<void>) => play(await openAt(await ground.newPlace()));
  conformanceSuite(`unstorage on ${ground.driver}`, withStorage, undefined, every);
}

// Behind the others: suites of a file run one after the other.
const test = suite("recorded REST cases: unstorage, end");

test("what the cases left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
