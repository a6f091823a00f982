// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { randomOf } from "../contract/case.js";
import { allBits, allFiles, type FileDamage } from "./damage.js";
import { judgeAll } from "./judges.js";
import { partOfDay, sampleOf, sizeOf } from "./sizes.js";

const test = suite("damaged files");

const FLIPS = sizeOf("FLIPS", { short: 8, long: Number.POSITIVE_INFINITY });
const SALVAGE_EVERY = sizeOf("SALVAGE_EVERY", { short: 2, long: 40 });
const SEED = sizeOf("FLIP_SEED", { short: 1, long: 1 });

function sample(bits: readonly FileDamage[]): FileDamage[] {
  const random = randomOf(SEED);
  return partOfDay(bits, 3).filter(() => random() < FLIPS / bits.length);
}

test("every bit within three days, with segments in a table: none is read as data when it is flipped", () =>
  judgeAll("table", (small) => sample([...allBits(small)]), SALVAGE_EVERY));

test("every bit within three days of LevelDB's log with segments in it", () =>
  judgeAll("log", (small) => sample([...allBits(small)].filter(({ file }) => file.endsWith(".log"))), SALVAGE_EVERY));

for (const home of ["table", "log"] as const) {
  test(`segments in a ${home}: a file that is gone, cut or half zeros is not read as data`, () =>
    judgeAll(home, (small) => sampleOf(allFiles(small), 6)));
}

test.run();
