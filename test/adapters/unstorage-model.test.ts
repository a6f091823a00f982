import { suite } from "uvu";
import type { EncryptionOptions } from "../../adapters/unstorage/index.js";
import { playModel, SEEDS, type Side, STEPS } from "./model-play.js";
import { openAt } from "./unstorage-drivers.js";
import { type DriverGround, fsLiteGround, memoryGround, redisGround } from "./unstorage-grounds.js";

const test = suite("unstorage model");

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

async function sideOn(ground: DriverGround, encryption?: EncryptionOptions): Promise<Side> {
  const place = await ground.newPlace();
  return { storage: openAt(place, encryption), reopen: () => openAt(place, encryption) };
}

const names = grounds.map(({ driver }) => driver).join(", ");
for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls are answered right on the drivers ${names}, and encrypted`, async () => {
    const encrypted = sideOn(memoryGround(), { key: new Uint8Array(32).fill(2) });
    await playModel(seed, await Promise.all([encrypted, ...grounds.map((ground) => sideOn(ground))]));
  });
}

test("what the runs left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
