import type { StoredEntry } from "../segments/store.js";

/** An entry with the place of its segment. */
export interface Placed {
  readonly segmentNo: number;
  readonly text: string;
  /** Epoch and number of the segment's value; `null` if it was dropped before its entry. */
  readonly place: string | null;
}

/**
 * The segments of one bucket: a line with the head, and a line for each of them. It never changes; a commit writes a
 * new one.
 *
 *     {"bucket":1,"segments":1}
 *     [12,"5f0c1e9a7b32-3","..."]
 */
export function serializeManifest(bucketNo: number, entries: readonly Placed[]): string {
  const head = { bucket: bucketNo, segments: entries.length };
  const lines = entries.map(({ segmentNo, place, text }) => JSON.stringify([segmentNo, place, text]));
  return [JSON.stringify(head), ...lines].join("\n");
}

/** @throws Error for a body that is not a manifest of this bucket */
export function parseManifest(body: string, bucketNo: number): Placed[] {
  const [first, ...lines] = body.split("\n");
  const head = JSON.parse(first as string) as { bucket: number; segments: number };
  if (head.bucket !== bucketNo) throw new Error(`it is of the bucket number ${head.bucket}`);
  if (head.segments !== lines.length) throw new Error("lines of it are missing");
  return lines.map((line) => {
    const [segmentNo, place, text] = JSON.parse(line) as [number, string | null, string];
    return { segmentNo, place, text };
  });
}

/** The entries of a manifest in the engine's form. */
export function entriesIn(bucketNo: number, entries: readonly Placed[]): StoredEntry[] {
  return entries.map(({ segmentNo, text }) => ({ bucketNo, segmentNo, text }));
}
