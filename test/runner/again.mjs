// Plays red files once more, alone and after all others (`--again`): beside others a page or a database may answer too
// late on two cores. What is green then is named at the end, and fails nothing.
import { runBatch } from "./batches.mjs";

/** There a file that is red once is a finding: something was lost, or is wrong, in one run of many. */
const FINDINGS = /^test\/(?:faults|adapters)\//;
/** More than so many are no accident. */
const MOST = 4;

export async function playAgain(files, report, means) {
  const red = files.filter(
    ({ name, onlyAt }) => onlyAt === undefined && !FINDINGS.test(name) && report.mayBeUnsteady(name),
  );
  if (red.length > MOST) return;
  for (const file of red) {
    console.log(`once more, alone: ${file.name}`);
    const results = await runBatch([file], means);
    if (results.some(({ reason }) => reason)) continue;
    report.takeBack(file.name);
    for (const result of results) report.add(result);
  }
}
