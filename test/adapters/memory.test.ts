import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { storageContract } from "../contract/index.js";

const test = suite("memory");

for (const { name, run } of storageContract({ create: async () => memory() })) test(name, run);

test("memory tells that nothing survives and that reads are snapshots", () => {
  const expected = { adapter: "memory", durability: "nothing", snapshotReads: true, multiProcess: false };
  assert.equal(memory().traits, expected);
});

test.run();
