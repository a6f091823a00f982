import { byTime, type StoredEvent } from "../../src/domain/event.js";
import type { Operation } from "./database.js";
import { compareKeys, keyOf } from "./directory.js";
import type { Block } from "./segment.js";
import { eventsOf } from "./segment.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { Shelf } from "./shelf.js";

/** A tail larger than this is folded into segments. */
const TAIL_EVENTS = 1024;
const TAIL_WEIGHT = 2 * 1024 * 1024;
/** What stays in the tail: the newest events, which heartbeats and edits are most likely to touch. */
const KEEP_EVENTS = 128;
const KEEP_WEIGHT = 256 * 1024;
/** Fewer events than this in a row join a neighbouring segment rather than make one of their own. */
const MIN_RUN = 256;
const MIN_RUN_WEIGHT = 128 * 1024;
/** A segment up to this size takes more events in. */
const ROOMY_EVENTS = 1536;
const ROOMY_BYTES = 512 * 1024;
/** Most events folded in one step, and most characters of them: the bucket's writers wait for it. */
const STEP_EVENTS = 4096;
const STEP_WEIGHT = 4 * 1024 * 1024;

export function wantsFold({ tail }: Shelf): boolean {
  return tail.events.length > TAIL_EVENTS || (tail.weight > TAIL_WEIGHT && tail.events.length > 1);
}

/** Whether a tail has grown faster than it was folded. */
export function isOverfull({ tail }: Shelf): boolean {
  return tail.events.length > 16 * TAIL_EVENTS;
}

/** What to fold next: events of the tail, and the segment that they are to be merged with, if any. */
export interface FoldStep {
  readonly events: readonly StoredEvent[];
  readonly target: SegmentEntry | undefined;
}

/** @returns `undefined` when nothing in the tail can be folded */
export function nextFold(shelf: Shelf): FoldStep | undefined {
  const { tail, partnerId } = shelf;
  const end = foldableEnd(shelf);
  const oldest = tail.events.find((event, index) => index < end && event.id !== partnerId);
  if (oldest === undefined) return undefined;
  const { entries } = shelf.directory;
  const index = shelf.directory.indexBefore(keyOf(oldest));
  const before = entries[index];
  const behind = entries[index + 1];
  const events = lightStart(shelf, Math.min(end, behind ? tail.positionOf(behind.first) : end));
  if (before !== undefined && compareKeys(keyOf(oldest), before.last) < 0) return { events, target: before };
  return { events, target: isShort(shelf, events) ? [before, behind].find(isRoomy) : undefined };
}

/** The index behind the last event of the tail that may be folded. */
function foldableEnd({ tail }: Shelf): number {
  let kept = 0;
  let weight = 0;
  const { events } = tail;
  while (kept < events.length && kept < KEEP_EVENTS) {
    weight += tail.weightOf((events[events.length - 1 - kept] as StoredEvent).id);
    // The newest one always stays: a heartbeat must find it without reading.
    if (kept > 0 && weight > KEEP_WEIGHT) break;
    kept++;
  }
  return events.length - kept;
}

/** As many of the first events as one step can bear, without the one that heartbeats extend; at least one. */
function lightStart({ tail, partnerId }: Shelf, end: number): readonly StoredEvent[] {
  const light: StoredEvent[] = [];
  let weight = 0;
  for (let index = 0; index < end && light.length < STEP_EVENTS; index++) {
    const event = tail.events[index] as StoredEvent;
    if (event.id === partnerId) continue;
    weight += tail.weightOf(event.id);
    if (light.length > 0 && weight > STEP_WEIGHT) break;
    light.push(event);
  }
  return light;
}

function isShort({ tail }: Shelf, events: readonly StoredEvent[]): boolean {
  if (events.length >= MIN_RUN) return false;
  return events.reduce((sum, { id }) => sum + tail.weightOf(id), 0) < MIN_RUN_WEIGHT;
}

function isRoomy(entry: SegmentEntry | undefined): boolean {
  return entry !== undefined && entry.count <= ROOMY_EVENTS && entry.bytes <= ROOMY_BYTES;
}

/** @param block the target of the step, read */
export function fold(shelf: Shelf, { events, target }: FoldStep, block: Block | undefined): Operation[] {
  const sealed = block === undefined ? [...events] : [...eventsOf(block), ...events].sort(byTime);
  return [...shelf.takeFromTail(events), ...shelf.seal(sealed, target)];
}

/**
 * Divides new events: long runs that fall between two segments can be sealed at once, which spares each of them a key
 * of its own; the rest belongs to the tail. The newest event of the bucket always does.
 *
 * @param events sorted by (timestamp, id), none of them in the bucket yet
 */
export function divide(
  { directory, tail }: Shelf,
  events: readonly StoredEvent[],
): { runs: StoredEvent[][]; loose: StoredEvent[] } {
  if (events.length < MIN_RUN) return { runs: [], loose: [...events] };
  const { entries } = directory;
  const newest = tail.events.at(-1);
  const last = events.at(-1) as StoredEvent;
  const keepsLast = newest === undefined || byTime(newest, last) < 0;
  const runs: StoredEvent[][] = [];
  const loose: StoredEvent[] = keepsLast ? [last] : [];
  let run: StoredEvent[] = [];
  let runIndex = Number.NaN;
  for (const event of keepsLast ? events.slice(0, -1) : events) {
    const key = keyOf(event);
    const index = directory.indexBefore(key);
    const before = entries[index];
    if (before !== undefined && compareKeys(key, before.last) < 0) loose.push(event);
    else if (index === runIndex) run.push(event);
    else {
      run = [event];
      runIndex = index;
      runs.push(run);
    }
  }
  const short = runs.filter(({ length }) => length < MIN_RUN).flat();
  return { runs: runs.filter(({ length }) => length >= MIN_RUN), loose: [...short, ...loose] };
}

/**
 * Seals a run of new events between two segments, together with what else of the tail lies there: left where it is it
 * would have to be folded into the run, event by event.
 */
export function sealRun(shelf: Shelf, run: readonly StoredEvent[]): Operation[] {
  const { tail, partnerId, directory } = shelf;
  const index = directory.indexBefore(keyOf(run[0] as StoredEvent));
  const [before, behind] = [directory.entries[index], directory.entries[index + 1]];
  const from = before === undefined ? 0 : tail.positionOf(before.last);
  // The newest event of the bucket stays in the tail.
  const to = behind === undefined ? tail.events.length - 1 : tail.positionOf(behind.first);
  const beside = tail.events.slice(from, to).filter(({ id }) => id !== partnerId);
  const sealed = beside.length === 0 ? run : [...beside, ...run].sort(byTime);
  return [...shelf.takeFromTail(beside), ...shelf.seal(sealed)];
}
