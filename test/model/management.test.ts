// Random management operations on every storage, compared with a plain model. For hours: management/run.ts.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seedOf, sizeOf } from "../faults/sizes.js";
import { finishGrounds, GROUND_NAMES, newGround } from "./management/grounds.js";
import { play } from "./management/play.js";
import { stepsOf } from "./management/steps.js";

const test = suite("management operations");

const STEPS = sizeOf("MANAGEMENT_STEPS", { short: 60, long: 120 });
/** In memory a play takes hardly any time. */
const PLAYS_IN_MEMORY = sizeOf("MANAGEMENT_PLAYS", { short: 15, long: 1000 });
const PLAYS = sizeOf("MANAGEMENT_PLAYS", { short: 1, long: 40 });

for (const name of GROUND_NAMES) {
  const plays = name === "memory" ? PLAYS_IN_MEMORY : PLAYS;
  test(`${plays} plays of ${STEPS} steps on ${name}`, async () => {
    for (let at = 0; at < plays; at++) {
      const ground = await newGround(name);
      if (ground === undefined) return assert.is(process.env["CI"], undefined, `${name} is not installed`);
      const seed = seedOf("MANAGEMENT_SEED") * 1000 + at;
      try {
        await play(stepsOf(seed, STEPS), ground);
      } catch (cause) {
        const again = `node --import tsx test/model/management/run.ts --storage ${name} --seed ${seed} --steps ${STEPS}`;
        throw new Error(`${again}: ${(cause as Error).message}`, { cause });
      } finally {
        await ground.finish();
      }
    }
  });
}

test("the grounds end", finishGrounds);

test.run();
