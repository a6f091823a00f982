// Random ordinary use of a server on every storage, compared with a plain model. For hours: run.ts.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seedOf, sizeOf } from "../faults/sizes.js";
import { DOOR_NAMES, type DoorName, GROUND_NAMES, newGround } from "./grounds.js";
import { play } from "./play.js";
import { stepsOf } from "./steps.js";

const test = suite("ordinary use");

const PLAYS = sizeOf("MODEL_PLAYS", { short: 1, long: 60 });
const STEPS = sizeOf("MODEL_STEPS", { short: 50, long: 80 });

for (const [index, name] of GROUND_NAMES.entries()) {
  test(`${PLAYS} plays of ${STEPS} steps on ${name}`, async () => {
    for (let at = 0; at < PLAYS; at++) {
      const ground = await newGround(name);
      if (ground === undefined) return assert.is(process.env.CI, undefined, `${name} is not installed`);
      const seed = seedOf("MODEL_SEED") + at;
      const door = DOOR_NAMES[(index + at) % DOOR_NAMES.length] as DoorName;
      // Each tenth play is killed now and then.
      const canKill = at % 10 === 9 && ground.openElsewhere !== undefined;
      try {
        await play(stepsOf(seed, STEPS, { canRestart: name !== "memory", canKill }), ground, door);
      } catch (cause) {
        const again = `node --import tsx test/model/run.ts --storage ${name} --door ${door} --seed ${seed}`;
        throw new Error(`${again}: ${(cause as Error).message}`, { cause });
      } finally {
        await ground.finish();
      }
    }
  });
}

test.run();
