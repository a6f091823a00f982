// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { randomOf } from "../contract/case.js";
import { allBits, allFiles, type FileDamage } from "./damage.js";
import { judgeAll, type Trial } from "./judges.js";
import { partOfDay, sampleOf, sizeOf } from "./sizes.js";
import type { SmallFolder } from "./small-folder.js";

const test = suite("damaged files");

const FLIPS = sizeOf("FLIPS", { short: 8, long: Number.POSITIVE_INFINITY });
const SALVAGE_EVERY = sizeOf("SALVAGE_EVERY", { short: 2, long: 40 });
const SEED = sizeOf("FLIP_SEED", { short: 1, long: 1 });

function sample(bits: readonly FileDamage[]): FileDamage[] {
  const random = randomOf(SEED);
  return partOfDay(bits, 3).filter(() => random() < FLIPS / bits.length);
}

/** @param every of so many one is salvaged if it is refused; that takes longer than all the rest */
function trialsOf(damages: readonly FileDamage[], every: number): Trial[] {
  return damages.map((damage, index) => ({ damage, salvages: index % every === 0 }));
}

/** All bits, and those of LevelDB's log. */
const BITS = {
  table: (small: SmallFolder) => sample([...allBits(small)]),
  log: (small: SmallFolder) => sample([...allBits(small)].filter(({ file }) => file.endsWith(".log"))),
};

for (const home of ["table", "log"] as const) {
  test(`segments in a ${home}: no flipped bit and no file that is gone, cut or half zeros is read as data`, () =>
    judgeAll(home, (small) => [
      ...trialsOf(sampleOf(allFiles(small), 6), 1),
      ...trialsOf(BITS[home](small), SALVAGE_EVERY),
    ]));
}

test.run();
