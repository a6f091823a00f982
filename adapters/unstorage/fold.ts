import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import { weightOf } from "./chunk.js";
import { type ChunkEntry, isBefore } from "./directory.js";
import type { ChunkEvents, Work } from "./work.js";

/** A tail larger than this is folded into chunks. */
const TAIL_EVENTS = 320;
const TAIL_WEIGHT = 64 * 1024;
/** What stays in the tail: the newest events, which heartbeats and edits are most likely to touch. */
const KEEP_EVENTS = 64;
const KEEP_WEIGHT = 16 * 1024;
/** Fewer events than this in a row, and lighter, join a neighbouring chunk rather than make one of their own. */
const RUN_EVENTS = 64;
const RUN_WEIGHT = 32 * 1024;
/** A chunk takes more events in as long as it does not get larger than this. */
const ROOMY_EVENTS = 256;

/** Events of the tail that lie between the same two chunks, or within the same one. */
interface Run {
  readonly events: StoredEvent[];
  /** The chunk whose time they lie in. */
  readonly within: ChunkEntry | undefined;
  /** Place in the directory. */
  readonly index: number;
}

export function wantsFold({ tail, tailWeight }: Work): boolean {
  return tail.length > TAIL_EVENTS || (tailWeight > TAIL_WEIGHT && tail.length > 1);
}

/**
 * Moves all but the newest events of the tail into chunks. Late ones are merged into the chunks whose time they fall
 * into; where such a chunk cannot be read, they stay where they are.
 */
export async function fold(work: Work, eventsOf: ChunkEvents): Promise<void> {
  const targets = new Map<ChunkEntry, StoredEvent[]>();
  const alone: StoredEvent[][] = [];
  for (const run of runsIn(work)) {
    const target = run.within ?? roomyNeighbour(work, run);
    if (target === undefined) alone.push(run.events);
    else targets.set(target, [...(targets.get(target) ?? []), ...run.events]);
  }
  for (const events of alone) move(work, events, [], []);
  for (const [target, events] of targets) {
    try {
      move(work, events, [target], await eventsOf(target));
    } catch (thrown) {
      if (!ActivityError.is(thrown)) throw thrown;
    }
  }
}

function move(
  work: Work,
  events: readonly StoredEvent[],
  old: readonly ChunkEntry[],
  others: readonly StoredEvent[],
): void {
  work.take(new Set(events.map(({ id }) => id)));
  work.seal(old, [...others, ...events]);
}

function runsIn(work: Work): Run[] {
  const runs: Run[] = [];
  const { entries } = work.directory;
  for (const event of foldable(work)) {
    const index = work.directory.indexBefore(event);
    const before = entries[index];
    const within = before !== undefined && isBefore(event, before.last) ? before : undefined;
    const run = runs.at(-1);
    if (run !== undefined && run.index === index && run.within === within) run.events.push(event);
    else runs.push({ events: [event], within, index });
  }
  return runs;
}

function foldable({ tail, partnerId }: Work): StoredEvent[] {
  let kept = 0;
  let weight = 0;
  while (kept < tail.length && kept < KEEP_EVENTS) {
    weight += weightOf(tail[tail.length - 1 - kept] as StoredEvent);
    // The newest one always stays: a heartbeat must find it without reading.
    if (kept > 0 && weight > KEEP_WEIGHT) break;
    kept++;
  }
  return tail.slice(0, tail.length - kept).filter(({ id }) => id !== partnerId);
}

function roomyNeighbour({ directory }: Work, { events, index }: Run): ChunkEntry | undefined {
  const weight = events.reduce((sum, event) => sum + weightOf(event), 0);
  if (events.length >= RUN_EVENTS || weight >= RUN_WEIGHT) return undefined;
  const neighbours = [directory.entries[index], directory.entries[index + 1]];
  return neighbours.find((entry) => entry !== undefined && entry.count + events.length <= ROOMY_EVENTS);
}
