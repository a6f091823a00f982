// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { assertNone } from "./defects.js";
import { canInject } from "./shim.js";
import { onePerPair, partOfDay, rotatingSampleOf, sampleOf, sizeOf } from "./sizes.js";
import { playStart, startTroubles } from "./start-trouble.js";
import { playAll } from "./trouble-series.js";
import { failures, tornWrites } from "./troubles.js";

const test = suite("failing disk");

/** Up to which operation of each kind is made to fail. */
const NTH = sizeOf("NTH_FAILURE", { short: 1, long: 3 });
const nth: readonly number[] = Array.from({ length: NTH }, (_, index) => index + 1);

if (await canInject()) {
  playAll(
    test,
    partOfDay([...rotatingSampleOf(onePerPair(failures(nth)), 5), ...sampleOf(tornWrites(nth), 8)], 2),
    "survive",
  );
  let injected = 0;
  for (const trouble of partOfDay(sampleOf(startTroubles(nth), 15), 2)) {
    test(`${trouble.name}: the next one starts, and finds what was acknowledged`, async () => {
      const report = await playStart(trouble);
      injected += report.injected;
      assertNone(report.defects);
    });
  }
  test("the sum of the starts", () => console.log(`starts: ${injected} faults injected`));
}

test("this platform was asked what it can", () => {});

test.run();
