// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { assertNone } from "./defects.js";
import { cutPower } from "./power-cuts.js";
import { canInject } from "./shim.js";
import { detailsOf, seedOf, sizeOf } from "./sizes.js";

const test = suite("power cuts");

/** Of one series, which another seed makes another one. */
const STATES = sizeOf("POWER_CUTS", { short: 4, long: 300 });
/** Of the others. */
const FEWER = Math.ceil(STATES / 3);
const WAVES = sizeOf("CUT_WAVES", { short: 12, long: 60 });
const SEED = seedOf("CUT_SEED");

function statesOf(series: number): number {
  return SEED % 3 === series ? STATES : FEWER;
}

if (await canInject()) {
  for (const [index, durability] of (["process-crash", "power-loss"] as const).entries()) {
    test(`${durability}: what is left is a moment of the past, with all that was promised, and nothing else`, async () => {
      const series = { seed: SEED, durability, waves: WAVES, states: statesOf(index) };
      const { states, defects } = await cutPower(series);
      console.log(`${durability}: ${states} states, ${defects.length} defects (seed ${SEED})`);
      assertNone(defects);
    });
  }

  const detail = detailsOf(test);

  detail("a first start can be cut off anywhere", async () => {
    const series = { seed: SEED, durability: "process-crash", waves: 1, states: 0, isFirstStart: true } as const;
    const { states, defects } = await cutPower(series);
    console.log(`first start: ${states} states, ${defects.length} defects (seed ${SEED})`);
    assertNone(defects);
  });

  detail("the same of an encrypted folder", async () => {
    const series = { seed: SEED, durability: "power-loss", waves: WAVES, states: statesOf(2) } as const;
    const { states, defects } = await cutPower({ ...series, key: "5a".repeat(32) });
    console.log(`encrypted: ${states} states, ${defects.length} defects (seed ${SEED})`);
    assertNone(defects);
  });
}

test("this platform was asked what it can", () => {});

test.run();
