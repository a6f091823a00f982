// The same random calls go to a storage and to the reference.
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../../src/storage/storage.js";
import { playModel, SEEDS, STEPS } from "../adapters/model-play.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres model");

const ground = await postgresGround();

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  for (const seed of SEEDS) {
    test(`seed ${seed}: ${STEPS} random calls are answered right`, async () => {
      const namespace = ground.newNamespace();
      const open = (): Storage => ground.open(namespace);
      await playModel(seed, [{ storage: open(), reopen: open }]);
    });
  }

  test("the connections of the suite end", () => ground.finish());
}

test.run();
