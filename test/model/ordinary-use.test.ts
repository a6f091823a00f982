// Random ordinary use of a server on every storage, compared with a plain model. For hours: run.ts.
// long: 2400 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { rotatingSampleOf, seedOf, sizeOf } from "../faults/sizes.js";
import { DOOR_NAMES, type DoorName, GROUND_NAMES, type GroundName, newGround } from "./grounds.js";
import { play } from "./play.js";
import { stepsOf } from "./steps.js";

const test = suite("ordinary use");

/** How many seeds the long tests play: most of them where that takes the least time. */
const SEEDS: Readonly<Record<GroundName, number>> = {
  memory: 200,
  "memory-level": 600,
  leveldb: 100,
  "leveldb-power-loss": 35,
  "leveldb-encrypted": 55,
  unstorage: 70,
  postgres: 40,
};
const STEPS = sizeOf("MODEL_STEPS", { short: 30, long: 50 });

for (const [index, name] of rotatingSampleOf([...GROUND_NAMES.entries()], 2)) {
  const plays = sizeOf("MODEL_PLAYS", { short: 1, long: SEEDS[name] });
  test(`${plays} plays of ${STEPS} steps on ${name}`, async () => {
    for (let at = 0; at < plays; at++) {
      const ground = await newGround(name);
      if (ground === undefined) return assert.is(process.env.CI, undefined, `${name} is not installed`);
      const seed = seedOf("MODEL_SEED") + at;
      const door = DOOR_NAMES[(index + at) % DOOR_NAMES.length] as DoorName;
      // Each twentieth play is killed now and then.
      const canKill = at % 20 === 19 && ground.openElsewhere !== undefined;
      try {
        await play(stepsOf(seed, STEPS, { canRestart: name !== "memory", canKill }), ground, door);
      } catch (cause) {
        const again = `node --import tsx test/model/run.ts --storage ${name} --door ${door} --seed ${seed} --steps ${STEPS}${canKill ? " --kill" : ""}`;
        throw new Error(`${again}: ${(cause as Error).message}`, { cause });
      } finally {
        await ground.finish();
      }
    }
  });
}

test.run();
