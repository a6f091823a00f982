import { type EventDraft, endOf, type StoredEvent } from "../domain/event.js";
import { serializeObject } from "../domain/json.js";
import { MICROS_PER_SECOND, type Micros, SECONDS_PER_DAY } from "../domain/time.js";
import { canonicalGlobTest } from "../util/glob.js";
import { addCounts, NO_COUNTS, type ReadRetentionRule, type RetentionCounts } from "./rule.js";

const DAY: Micros = SECONDS_PER_DAY * MICROS_PER_SECOND;
/** Summaries never cross a UTC hour. */
const HOUR: Micros = 3600 * MICROS_PER_SECOND;
/** Time that short events stay, since heartbeats and offline watchers may still extend them. */
const SHORT_EVENT_AGE: Micros = DAY;

/** Limits of one bucket as timestamps. If several rules apply, the strictest limits win. */
export interface Limits {
  /** Deletes events that end before this; `-Infinity` = none. */
  readonly keepFrom: Micros;
  /** Deletes events shorter than `shortest` that end before `shortUntil`; 0 = none. */
  readonly shortest: Micros;
  readonly shortUntil: Micros;
  /** Summarizes events that start before this. Start of an hour; `-Infinity` = none. */
  readonly summarizeUntil: Micros;
}

/**
 * Computes the limits of a bucket.
 *
 * @param now microseconds since 1970-01-01 UTC
 * @returns `undefined` if no rule matches the bucket
 */
export function computeLimits(rules: readonly ReadRetentionRule[], bucketId: string, now: Micros): Limits | undefined {
  const about = rules.filter(({ buckets }) => canonicalGlobTest(buckets)(bucketId));
  if (about.length === 0) return undefined;
  const since = (days: number): Micros =>
    Number.isFinite(days) ? now - Math.round(days * DAY) : Number.NEGATIVE_INFINITY;
  const least = (limit: "keepDays" | "summarizeAfterDays"): number =>
    Math.min(...about.map((rule) => rule[limit] ?? Number.POSITIVE_INFINITY));
  const shortest = Math.max(
    0,
    ...about.map(({ dropShorterThan = 0 }) => Math.round(dropShorterThan * MICROS_PER_SECOND)),
  );
  return {
    keepFrom: since(least("keepDays")),
    shortest,
    shortUntil: shortest === 0 ? Number.NEGATIVE_INFINITY : now - SHORT_EVENT_AGE,
    summarizeUntil: startOfHour(since(least("summarizeAfterDays"))),
  };
}

/** The latest start of an event that the limits can change. */
export function latestStart({ keepFrom, shortUntil, summarizeUntil }: Limits): Micros {
  return Math.max(keepFrom, shortUntil, summarizeUntil);
}

/** The start of the hour that contains a timestamp. */
export function startOfHour(time: Micros): Micros {
  return Math.floor(time / HOUR) * HOUR;
}

/** Changes that the limits require. */
export interface Plan {
  readonly removed: readonly StoredEvent[];
  readonly added: readonly EventDraft[];
  readonly counts: RetentionCounts;
}

/**
 * Plans the changes of events, which must include all events of their hours.
 *
 * @param events ascending by (timestamp, id)
 */
export function planChanges(events: readonly StoredEvent[], limits: Limits): Plan {
  const removed: StoredEvent[] = [];
  const groups = new Map<string, StoredEvent[]>();
  let counts = NO_COUNTS;
  for (const event of events) {
    const end = Math.max(event.timestamp, endOf(event));
    if (end < limits.keepFrom) {
      removed.push(event);
      counts = addCounts(counts, { ...NO_COUNTS, expired: 1 });
    } else if (event.duration < limits.shortest && end < limits.shortUntil) {
      removed.push(event);
      counts = addCounts(counts, { ...NO_COUNTS, short: 1 });
    } else if (event.timestamp < limits.summarizeUntil) {
      const key = `${startOfHour(event.timestamp)} ${serializeObject(event.data)}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [event]);
      else group.push(event);
    }
  }
  const added: EventDraft[] = [];
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    removed.push(...group);
    added.push(summarize(group));
    counts = addCounts(counts, { ...NO_COUNTS, summarized: group.length, summaries: 1 });
  }
  return { removed, added, counts };
}

/** The summary of events with equal data: it has the start of the first, and the duration that they cover together. */
function summarize(group: readonly StoredEvent[]): EventDraft {
  const [first] = group as readonly [StoredEvent, ...StoredEvent[]];
  let covered = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const event of group) {
    const end = endOf(event);
    covered += Math.max(0, end - Math.max(event.timestamp, reached));
    reached = Math.max(reached, end);
  }
  return { timestamp: first.timestamp, duration: covered, data: first.data };
}
