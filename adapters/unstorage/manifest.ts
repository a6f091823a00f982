import type { Bucket } from "../../src/domain/bucket.js";
import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { type ChunkEntry, Directory, parseEntry, printEntry } from "./directory.js";
import type { Versioned } from "./slots.js";
import { parseEvent, printEvent } from "./tail.js";

/**
 * All that is known of a bucket but the content of its chunks: the tail is in it. Its body is a line with the bucket
 * and the counts, a line for each chunk, with a line that names the term wherever that differs from the one before,
 * and a line for each event of the tail.
 *
 *     {"version":7,"nextId":301,"bucket":{…},"chunks":2,"events":1}
 *     "5f0c1e9a7b32"
 *     [0,128,[…],[…],[…],[…]]
 *     [1,128,[…],[…],[…],[…]]
 *     [300,1709287500000000,2500000,{"app":"mail"}]
 */
export interface Manifest extends Versioned {
  /** Lower bound of the id counter. */
  readonly nextId: number;
  readonly bucket: Bucket;
  readonly directory: Directory;
  /** Ascending by (timestamp, id). */
  readonly tail: readonly StoredEvent[];
}

interface ManifestHead {
  readonly version: number;
  readonly nextId: number;
  readonly bucket: Bucket;
  readonly chunks: number;
  readonly events: number;
}

export function printManifest({ version, nextId, bucket, directory, tail }: Manifest): string {
  const { entries } = directory;
  const head: ManifestHead = { version, nextId, bucket, chunks: entries.length, events: tail.length };
  const lines = [JSON.stringify(head)];
  let term = "";
  for (const entry of entries) {
    if (entry.term !== term) lines.push(JSON.stringify(entry.term));
    term = entry.term;
    lines.push(printEntry(entry));
  }
  for (const event of tail) lines.push(printEvent(event));
  return lines.join("\n");
}

/** @throws Error for a body that is no manifest */
export function parseManifest(body: string): Manifest {
  const lines = body.split("\n");
  const { version, nextId, bucket, chunks, events } = JSON.parse(lines[0] as string) as ManifestHead;
  const entries: ChunkEntry[] = [];
  let term = "";
  let at = 1;
  for (; entries.length < chunks; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith('"')) term = JSON.parse(line) as string;
    else entries.push(parseEntry(term, line));
  }
  const tail = lines.slice(at).map(parseEvent);
  if (tail.length !== events) throw new Error(`it holds ${tail.length} events instead of ${events}`);
  return { version, nextId, bucket, directory: new Directory(entries), tail };
}

/**
 * What has changed in the tail since a manifest, so that a heartbeat need not write the manifest again. Holds all
 * changes since then, not only the last one: it replaces the journal before it.
 *
 *     {"version":9,"base":7,"nextId":302}
 *     [300,3500000]                                     event 300 lasts longer now
 *     [301,1709287600000000,0,{"app":"editor"}]         event 301 was added, or differs in more than its duration
 *     [299]                                             event 299 has left the tail
 */
export interface Journal extends Versioned {
  /** Version of the manifest that it continues. */
  readonly base: number;
  readonly nextId: number;
  readonly changes: readonly string[];
}

/** Changed events by id; `undefined` for one that is gone. */
export type Changes = ReadonlyMap<number, StoredEvent | undefined>;

/** @param written the tail of the manifest, by id */
export function printJournal(
  head: Omit<Journal, "changes">,
  changes: Changes,
  written: ReadonlyMap<number, StoredEvent>,
): string {
  const { version, base, nextId } = head;
  const lines = [JSON.stringify({ version, base, nextId })];
  for (const [id, event] of changes) {
    const before = written.get(id);
    const isLonger = event !== undefined && before?.timestamp === event.timestamp && before.data === event.data;
    if (event === undefined) lines.push(`[${id}]`);
    else lines.push(isLonger ? `[${id},${event.duration}]` : printEvent(event));
  }
  return lines.join("\n");
}

/** @throws Error for a body that is no journal */
export function parseJournal(body: string): Journal {
  const [head, ...changes] = body.split("\n");
  const { version, base, nextId } = JSON.parse(head as string) as Omit<Journal, "changes">;
  return { version, base, nextId, changes };
}

/** The tail of a manifest with the changes of its journal. @throws Error for changes that do not fit */
export function replay(tail: readonly StoredEvent[], changes: readonly string[]): StoredEvent[] {
  const events = new Map(tail.map((event) => [event.id, event]));
  for (const line of changes) {
    const [id, duration, ...others] = JSON.parse(line) as number[];
    const before = events.get(id as number);
    if (duration === undefined) events.delete(id as number);
    else if (others.length > 0) events.set(id as number, parseEvent(line));
    else if (before !== undefined) events.set(id as number, { ...before, duration });
    else throw new Error(`the journal extends event ${id}, which the manifest does not have`);
  }
  return [...events.values()].sort(byTime);
}
