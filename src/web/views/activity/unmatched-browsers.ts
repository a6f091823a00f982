// Browsers whose sites are missing from a report. Pure.
import type { Report } from "../../report.js";

/** Shorter times of sites can be a coincidence, in seconds. */
const LEAST_UNMATCHED = 60;

/** Browsers none of whose windows were in front, on no host. */
export function unmatchedBrowsers(coverage: Report["coverage"]): readonly { bucket: string; seconds: number }[] {
  const known = new Map<string, { bucket: string; seconds: number; unmatched: number }>();
  for (const { bucket, kind, seconds, unmatched } of coverage) {
    if (kind !== "browser" || seconds < LEAST_UNMATCHED) continue;
    const before = known.get(bucket)?.unmatched ?? Number.POSITIVE_INFINITY;
    known.set(bucket, { bucket, seconds, unmatched: Math.min(before, unmatched) });
  }
  return [...known.values()].filter(({ seconds, unmatched }) => unmatched >= seconds);
}
