import type { Bench } from "../bench.js";
import { FIRST_DAY, MICROS_PER_DAY } from "../data.js";
import { BUCKET, holdReads } from "./reads.js";

const DAYS = 100;

/** How many reads a second of one day (2,000 events) out of 200,000, a random day each time. */
export async function day(bench: Bench): Promise<void> {
  const workload = "one day of 100 (2,000 events)";
  await holdReads(bench, [{ id: "day", workload, paths: dayPaths(), connections: [1, 8] }]);
}

/** Each day of the sample. */
export function dayPaths(): string[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date((FIRST_DAY + index * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
    return `/api/0/buckets/${BUCKET}/events?start=${date}T00:00:00%2B00:00&end=${date}T23:59:59.999999%2B00:00`;
  });
}
