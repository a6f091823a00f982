import { suite } from "uvu";
import { fsLiteGround, memoryGround, openAt, redisGround } from "./adapters/unstorage-drivers.js";
import { conformanceSuite } from "./wire/conformance.js";

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

for (const ground of grounds) {
  conformanceSuite(`unstorage on ${ground.driver}`, async (play) => play(await openAt(await ground.newPlace())));
}

// Behind the others: suites of a file run one after the other.
const test = suite("recorded REST cases: unstorage, end");

test("what the cases left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
