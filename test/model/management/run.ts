// Plays random management operations on a server and on a model until the time is up, and makes what fails smaller.
//
//   node --import tsx test/model/management/run.ts --storage leveldb --minutes 60 [--seed N] [--steps 120]
//
// --plays N ends after N plays; with --seed it is one. --tries 0 leaves a failing play as it is.
// Storages: grounds.ts.
import { parseArgs } from "node:util";
import { leaveOut } from "../shrink.js";
import { finishGrounds, GROUND_NAMES, newGround } from "./grounds.js";
import { play } from "./play.js";
import { type Step, stepsOf } from "./steps.js";

const { values } = parseArgs({
  options: {
    storage: { type: "string", default: "leveldb" },
    minutes: { type: "string", default: "1" },
    seed: { type: "string" },
    steps: { type: "string", default: "120" },
    plays: { type: "string" },
    tries: { type: "string", default: "400" },
  },
});
const name = GROUND_NAMES.find((each) => each === values.storage);
if (name === undefined) throw new Error(`--storage must be one of ${GROUND_NAMES.join(", ")}`);
const on = name;

const end = Date.now() + Number(values.minutes) * 60_000;
const first = Number(values.seed ?? Date.now() % 1_000_000_000);
const most = Number(values.plays ?? (values.seed === undefined ? Number.POSITIVE_INFINITY : 1));

async function failureOf(steps: readonly Step[]): Promise<Error | undefined> {
  const ground = await newGround(on);
  if (ground === undefined) throw new Error(`${on} is not installed`);
  try {
    await play(steps, ground);
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
  const script = stepsOf(seed, Number(values.steps));
  steps += script.length;
  const failure = await failureOf(script);
  if (failure === undefined) continue;
  console.log(`${on}, --seed ${seed} --steps ${values.steps}: ${failure.message}`);
  const fails = async (each: readonly Step[]): Promise<boolean> => (await failureOf(each)) !== undefined;
  const { smallest: small } = await leaveOut(script, fails, Number(values.tries));
  console.log(`in ${small.length} steps: ${(await failureOf(small))?.stack}`);
  for (const step of small) console.log(`  ${JSON.stringify(step)}`);
  process.exitCode = 1;
  break;
}
console.log(
  `${on}: ${plays} plays, ${steps} steps, seeds from ${first}: ${process.exitCode ? "a difference" : "no difference"}`,
);
await finishGrounds();
process.exit();
