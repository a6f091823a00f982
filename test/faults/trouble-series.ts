import type { Test } from "uvu";
import { assertNone } from "./defects.js";
import { playTrouble, type Trouble, type TroubleReport } from "./trouble.js";

/**
 * Makes a test of each trouble, and one that prints what came of all.
 *
 * @param demand `refuse`: each of them must make writes fail; `survive`: the operation may never be made, or be no loss
 */
export function playAll(test: Test, troubles: readonly Trouble[], demand: "refuse" | "survive"): void {
  const reports = new Map<string, TroubleReport[]>();
  for (const trouble of troubles) {
    test(`${trouble.name}: refused is refused, acknowledged is there, reads go on, writing comes back`, async () => {
      const report = await playTrouble(trouble);
      const kind = trouble.name.replace(/ \d+ /, " n ").replace(/,.*/, "");
      reports.set(kind, [...(reports.get(kind) ?? []), report]);
      assertNone(report.defects);
      if (demand === "refuse" && (report.injected === 0 || report.refused === 0)) {
        throw new Error(`${report.injected} operations failed, ${report.refused} requests were refused`);
      }
    });
  }
  test(`${troubles.length} troubles: the sum of them`, () => {
    for (const [kind, all] of reports) {
      const sum = (count: (report: TroubleReport) => number) => all.reduce((total, report) => total + count(report), 0);
      const counts = [
        `${all.length} times, ${sum(({ injected }) => injected)} faults injected`,
        `${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ refused }) => refused)} refused`,
        `${sum(({ doubts }) => doubts)} in doubt, ${sum(({ defects }) => defects.length)} defects`,
      ];
      console.log(`${kind}: ${counts.join(", ")}`);
    }
  });
}
