// Plays random steps on a server and on a model until the time is up, and makes what fails smaller.
//
//   node --import tsx test/model/run.ts --storage leveldb --minutes 60 [--seed N] [--steps 80] [--door process] [--kill]
//
// --plays N ends after N plays. --tries 0 leaves a failing play as it is.
// Storages: grounds.ts. Without --door each seed takes the next one. Without --seed the server of every
// eighth play is killed again and again.
import { parseArgs } from "node:util";
import { DOOR_NAMES, type DoorName, GROUND_NAMES, type GroundName, newGround } from "./grounds.js";
import { play } from "./play.js";
import { shrink } from "./shrink.js";
import { type Step, stepsOf } from "./steps.js";

const { values } = parseArgs({
  options: {
    storage: { type: "string", default: "leveldb" },
    minutes: { type: "string", default: "1" },
    seed: { type: "string" },
    steps: { type: "string", default: "80" },
    door: { type: "string" },
    plays: { type: "string" },
    kill: { type: "boolean" },
    tries: { type: "string", default: "300" },
  },
});
const name = GROUND_NAMES.find((each) => each === values.storage);
if (name === undefined) throw new Error(`--storage must be one of ${GROUND_NAMES.join(", ")}`);

const end = Date.now() + Number(values.minutes) * 60_000;
const first = Number(values.seed ?? Date.now() % 1_000_000_000);
const most = Number(values.plays ?? (values.seed === undefined ? Number.POSITIVE_INFINITY : 1));
const KILLED = 8;

async function failureOf(steps: readonly Step[], on: GroundName, door: DoorName): Promise<Error | undefined> {
  const ground = await newGround(on);
  if (ground === undefined) throw new Error(`${on} is not installed`);
  try {
    await play(steps, ground, door);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await ground.finish();
  }
}

let plays = 0;
let steps = 0;
for (let seed = first; plays < most && Date.now() < end; seed++, plays++) {
  const canKill = (values.kill ?? (values.seed === undefined && seed % KILLED === 0)) && !name.startsWith("memory");
  const door = DOOR_NAMES.find((each) => each === values.door) ?? (DOOR_NAMES[seed % DOOR_NAMES.length] as DoorName);
  const script = stepsOf(seed, Number(values.steps), { canRestart: name !== "memory", canKill });
  steps += script.length;
  const failure = await failureOf(script, name, door);
  if (failure === undefined) continue;
  console.log(
    `${name}, --door ${door} --seed ${seed} --steps ${values.steps}${canKill ? " --kill" : ""}: ${failure.message}`,
  );
  const small = await shrink(
    script,
    async (each) => (await failureOf(each, name, door)) !== undefined,
    Number(values.tries),
  );
  console.log(`in ${small.length} steps: ${(await failureOf(small, name, door))?.message}`);
  for (const step of small) console.log(`  ${JSON.stringify(step)}`);
  process.exitCode = 1;
  break;
}
console.log(
  `${name}: ${plays} plays, ${steps} steps, seeds from ${first}; ${process.exitCode ? "a difference" : "no difference"}`,
);
process.exit();
