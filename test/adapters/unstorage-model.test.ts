import { suite } from "uvu";
import { playModel, SEEDS, type Side, STEPS } from "./model-play.js";
import { openAt } from "./unstorage-drivers.js";
import { type DriverGround, fsLiteGround, memoryGround, redisGround } from "./unstorage-grounds.js";

const test = suite("unstorage model");

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

async function sideOn(ground: DriverGround): Promise<Side> {
  const place = await ground.newPlace();
  return { storage: openAt(place), reopen: () => openAt(place) };
}

const names = grounds.map(({ driver }) => driver).join(", ");
for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls are answered right on the drivers ${names}`, async () =>
    playModel(seed, await Promise.all(grounds.map(sideOn))));
}

test("what the runs left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
