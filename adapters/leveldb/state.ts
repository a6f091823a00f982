import { byTime, counterAbove, type StoredEvent } from "../../src/domain/event.js";
import type { JsonValue } from "../../src/domain/json.js";
import { ActivityError } from "../../src/errors.js";
import type { TextDatabase } from "./database.js";
import { FORMAT, parseRecord, STATE_RANGES, type StoredRecord } from "./layout.js";
import type { SegmentEntry } from "./segment-entry.js";
import { Shelf } from "./shelf.js";

/** Everything that is kept in memory: all but the content of sealed segments. */
export interface State {
  /** By bucket id, in the order of creation. */
  readonly shelves: Map<string, Shelf>;
  readonly settings: Map<string, JsonValue>;
  deviceId: string | undefined;
  nextEventId: number;
  nextBucketNo: number;
  /** Numbers of deleted buckets whose events may still be on disk. */
  readonly remains: number[];
  /** Whether the database held nothing at all. */
  readonly isNew: boolean;
  /** Whether a journal beside the database may hold what it lacks. */
  readonly hasJournal: boolean;
}

/**
 * Reads the state.
 *
 * @param name what to call the database in messages
 * @throws ActivityError `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE` for a database with other data, `STORAGE_CORRUPT`
 */
export async function loadState(database: TextDatabase, name: string): Promise<State> {
  const [format, ...others] = STATE_RANGES;
  const collector = createCollector(name);
  // The format comes first: what the other keys mean depends on it.
  for await (const entries of database.entries(format)) collector.addAll(entries);
  const isNew = checkFormat(collector.format(), await database.isEmpty(), name);
  for (const range of others) {
    for await (const entries of database.entries(range)) collector.addAll(entries);
  }
  return collector.state(isNew);
}

/** @returns whether the database is new */
function checkFormat(format: number | undefined, empty: boolean, name: string): boolean {
  if (format === FORMAT || (format === undefined && empty)) return format === undefined;
  if (format === undefined) {
    throw new ActivityError("STORAGE_UNUSABLE", `${name} holds other data; give activity-server one of its own`);
  }
  throw new ActivityError("STORAGE_TOO_NEW", tooNew(name, format));
}

/** @returns the message about a format that this version does not know */
export function tooNew(name: string, format: unknown): string {
  return `${name} has the storage format ${format}; this version of activity-server reads format ${FORMAT}: update it`;
}

interface Contents {
  readonly events: { event: StoredEvent; weight: number }[];
  readonly segments: SegmentEntry[];
}

interface Collector {
  addAll(entries: readonly (readonly [key: string, text: string])[]): void;
  format(): number | undefined;
  state(isNew: boolean): State;
}

function createCollector(name: string): Collector {
  const shelves = new Map<number, Shelf>();
  const contents = new Map<number, Contents>();
  const settings = new Map<string, JsonValue>();
  const remains = new Set<number>();
  let format: number | undefined;
  let hasJournal = false;
  let deviceId: string | undefined;
  let nextEventId = 1;

  function contentsOf(bucketNo: number): Contents {
    const known = contents.get(bucketNo) ?? { events: [], segments: [] };
    contents.set(bucketNo, known);
    return known;
  }

  function accept(record: StoredRecord): void {
    if (record.kind === "format") format = record.version;
    else if (record.kind === "journal") hasJournal = true;
    else if (record.kind === "device") deviceId = record.id;
    else if (record.kind === "nextId") nextEventId = Math.max(nextEventId, record.id);
    else if (record.kind === "bucket") shelves.set(record.bucketNo, new Shelf(record.bucketNo, record.bucket));
    else if (record.kind === "setting") settings.set(record.key, record.value);
    else if (record.kind === "remains") remains.add(record.bucketNo);
    else if (record.kind === "event") {
      nextEventId = counterAbove(nextEventId, [record.event.id]);
      contentsOf(record.bucketNo).events.push(record);
    } else {
      nextEventId = counterAbove(nextEventId, record.entry.ids.flat());
      contentsOf(record.bucketNo).segments.push(record.entry);
    }
  }

  return {
    addAll(entries) {
      for (const [key, text] of entries) accept(parsed(key, text, name));
    },
    format: () => format,
    state(isNew) {
      for (const [bucketNo, { events, segments }] of contents) {
        const shelf = shelves.get(bucketNo);
        if (shelf !== undefined) fill(shelf, events, segments);
        // A deletion that had no time to clear the events away says so; without that the record of the bucket is lost.
        else if (!remains.has(bucketNo)) throw bucketLost(bucketNo, name);
      }
      const byId = new Map(Array.from(shelves.values(), (shelf) => [shelf.bucket.id, shelf]));
      const nextBucketNo = 1 + Math.max(0, ...shelves.keys(), ...remains);
      const counters = { nextEventId, nextBucketNo };
      return { shelves: byId, settings, deviceId, ...counters, remains: [...remains], isNew, hasJournal };
    },
  };
}

function bucketLost(bucketNo: number, name: string): ActivityError {
  const what = `the record of bucket number ${bucketNo} is missing, its events are there`;
  return new ActivityError("STORAGE_CORRUPT", `${name} is damaged: ${what}; restore a backup`);
}

function parsed(key: string, text: string, name: string): StoredRecord {
  try {
    return parseRecord(key, text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ActivityError("STORAGE_CORRUPT", `${name} is damaged at key ${JSON.stringify(key)}: ${reason}`, {
      cause,
    });
  }
}

function fill(shelf: Shelf, events: Contents["events"], segments: readonly SegmentEntry[]): void {
  shelf.load(segments);
  events.sort((a, b) => byTime(a.event, b.event));
  for (const { event, weight } of events) shelf.tail.put(event, weight);
}
