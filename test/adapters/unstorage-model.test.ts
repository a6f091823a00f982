import { suite } from "uvu";
import { memory } from "../../adapters/memory.js";
import { forgetPartners, playModel, SEEDS, type Side, STEPS } from "./model-play.js";
import { type DriverGround, fsLiteGround, memoryGround, openAt, redisGround } from "./unstorage-drivers.js";

const test = suite("unstorage model");

const grounds = [memoryGround(), fsLiteGround(), await redisGround()].filter((ground) => ground !== undefined);

async function sideOn(ground: DriverGround): Promise<Side> {
  const place = await ground.newPlace();
  return { storage: await openAt(place), reopen: () => openAt(place) };
}

async function sides(): Promise<Side[]> {
  const plain = memory();
  const first: Side = { storage: plain, reopen: async () => forgetPartners(plain) };
  return [first, ...(await Promise.all(grounds.map(sideOn)))];
}

const names = grounds.map(({ driver }) => driver).join(", ");
for (const seed of SEEDS) {
  test(`seed ${seed}: ${STEPS} random calls answer alike in memory and on the drivers ${names}`, async () =>
    playModel(seed, await sides()));
}

test("what the runs left is removed", async () => {
  for (const ground of grounds) await ground.finish();
});

test.run();
