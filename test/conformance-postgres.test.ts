// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../src/storage/storage.js";
import { conformanceSuite } from "./codec/conformance.js";
import { postgresGround } from "./postgres/ground.js";

const ground = await postgresGround();

if (ground !== undefined) {
  const withStorage = async (play: (storage: Storage) => Promise<void>) => play(ground.open(ground.newNamespace()));
  conformanceSuite("postgres", withStorage, undefined, 8);
}

// Behind the others: suites of a file run one after the other.
const test = suite("recorded REST cases: postgres, end");

test("the connections of the cases end, where there were any", async () => {
  if (ground === undefined) assert.is(process.env.CI, undefined);
  await ground?.finish();
});

test.run();
