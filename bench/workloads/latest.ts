import type { Bench } from "../bench.js";
import { BUCKET, holdReads } from "./reads.js";

/** How many reads a second of the newest events of a bucket of 200,000. */
export async function latest(bench: Bench): Promise<void> {
  const reads = [1, 100, 1000].map((limit) => ({
    id: `latest/${limit}`,
    workload: `latest ${limit}`,
    paths: [latestPath(limit)],
    connections: [8],
  }));
  await holdReads(bench, reads);
}

export function latestPath(limit: number): string {
  return `/api/0/buckets/${BUCKET}/events?limit=${limit}`;
}
