// long: 600 s
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import { storageContract } from "../contract/index.js";
import { rotatingSampleOf } from "../faults/sizes.js";
import { contractOn } from "./unstorage-drivers.js";
import { fsLiteGround, memoryGround } from "./unstorage-grounds.js";

const test = suite("unstorage");

const GROUNDS = [memoryGround(), fsLiteGround()];

for (const ground of GROUNDS) {
  const cases = storageContract(contractOn(ground));
  // On a folder of LevelDB the same engine shows all of them.
  for (const { name, run } of rotatingSampleOf(cases, ground.driver === "memory" ? 24 : 48))
    test(`${ground.driver}: ${name}`, run);
}

const sealed = storageContract(contractOn(memoryGround(), { key: new Uint8Array(32).fill(1) }));
for (const { name, run } of rotatingSampleOf(sealed, 24)) test(`memory, encrypted: ${name}`, run);

test("what the contract left is removed", async () => {
  for (const ground of GROUNDS) await ground.finish();
});

test("traits name the durability that was declared, and nothing for a driver in memory", async () => {
  const declared = unstorage({ storage: createStorage(), durability: "power-loss" });
  await declared.close();
  const expected = { adapter: "unstorage", durability: "power-loss", snapshotReads: true, multiProcess: false };
  assert.equal(declared.traits, expected);
  const silent = unstorage({ storage: createStorage() });
  await silent.close();
  assert.is(silent.traits.durability, "nothing");
});

test.run();
