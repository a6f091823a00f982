import type { SalvagedBucket, SalvageReport } from "../../../adapters/leveldb/maintenance/salvage-write.js";
import { serializeTimestamp } from "../../domain/time.js";
import type { CommandOptions } from "../command-options.js";
import { formatBytes, quotePath } from "../data-folder.js";
import { readEncryption } from "../encryption-key.js";
import { printable } from "../launch-error.js";
import { loadOptional } from "../packages.js";
import { requireValue } from "./options.js";
import { requireFolder } from "./place.js";
import { formatCount, type Report } from "./report.js";
import { refuseMissing, refuseServer } from "./target.js";
import { removeWhenInterrupted } from "./temporary.js";

/** Saves the readable data of a damaged folder. @returns the exit code */
export async function salvage(options: CommandOptions<"salvage">, report: Report): Promise<number> {
  const reason = "salvage only reads data folders; repair a database with its own tools";
  const { path: data, key } = requireFolder(options.place, reason);
  const target = requireValue(options.to === "-" ? undefined : options.to, options);
  await refuseMissing(data);
  await refuseServer(data);
  const encryption = await readEncryption(key);
  const { salvage: salvageFolder } = await loadOptional(
    () => import("../../../adapters/leveldb/maintenance/salvage.js"),
  );
  const forgetTemporary: (() => void)[] = [];
  try {
    const salvaged = await loadOptional(() =>
      salvageFolder({
        path: data,
        to: target,
        ...encryption,
        onProgress: ({ doneSegments, totalSegments }) =>
          report.progress("saving", doneSegments, totalSegments, (count) => `${count} segments`),
        onTemporary: (folder) => void forgetTemporary.push(removeWhenInterrupted(folder)),
      }),
    );
    reportSalvage(salvaged, target, report);
    return salvaged.problems.length === 0 ? 0 : 1;
  } finally {
    for (const forget of forgetTemporary) forget();
  }
}

function reportSalvage(
  { buckets, problems, skippedLogBytes, ...counts }: SalvageReport,
  to: string,
  report: Report,
): void {
  for (const bucket of buckets) report.event("bucket", bucketFields(bucket), describeBucket(bucket));
  for (const problem of problems) {
    const where = problem.bucketId === undefined ? "" : `${quotePath(problem.bucketId)}: `;
    report.event("problem", { ...problem }, `${problem.kind}: ${where}${printable(problem.message, 500)}`);
  }
  const events = buckets.reduce((sum, bucket) => sum + bucket.events, 0);
  const saved = [
    formatCount(buckets.length, "bucket"),
    formatCount(events, "event"),
    formatCount(counts.settings, "setting"),
  ];
  const lost = problems.length === 0 ? "nothing was lost" : "some data was lost, see above";
  const log = skippedLogBytes === 0 ? "" : `, ${formatBytes(skippedLogBytes)} of the log unreadable`;
  report.event(
    "salvaged",
    { to, buckets: buckets.length, events, ...counts, skippedLogBytes, problems: problems.length },
    `${to}: ${saved.join(", ")}${log}: ${lost}`,
  );
}

function bucketFields({ missing, lostSegments, ...bucket }: SalvagedBucket): Readonly<Record<string, unknown>> {
  const spans = missing.map(({ start, end, events }) => {
    return { start: serializeTimestamp(start), end: serializeTimestamp(end), events };
  });
  return { ...bucket, missing: spans, lostSegments: lostSegments ?? null };
}

function describeBucket({ bucketId, events, isRecovered, missing }: SalvagedBucket): string {
  const lost = missing.reduce((sum, span) => sum + span.events, 0);
  const notes = [...(isRecovered ? ["its record is lost"] : []), ...(lost > 0 ? [`${lost} events are lost`] : [])];
  return `${quotePath(bucketId)}: ${formatCount(events, "event")}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}
