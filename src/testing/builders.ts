import { type ActivityEventDraft, activityEvent } from "../domain/activity-event.js";
import type { Bucket } from "../domain/bucket.js";
import type { JsonObject } from "../domain/json.js";
import {
  type DurationInput,
  type DurationMicros,
  serializeTimestamp,
  type TimeInput,
  type TimestampMicros,
} from "../domain/time.js";
import { mustBe } from "../errors.js";
import { parseEventDuration, programParser, toDuration, toTimestamp } from "../service/input-coercion.js";
import { invalid, parseString } from "../service/validation.js";
import { checkFields, parsePositiveDuration } from "./check-fields.js";
import { TEST_START } from "./fake-clock.js";
import { findWatcher, TEST_HOSTNAME, WATCHERS } from "./watchers.js";

/** Fields of a bucket for a test. */
export interface BucketFields {
  /** @default the watcher of the type and the hostname, e.g. `aw-watcher-window_test-host` */
  readonly id?: string | undefined;
  /** @default "currentwindow" */
  readonly type?: string | undefined;
  /** @default the watcher that writes buckets of this type, otherwise `aw-watcher-test` */
  readonly client?: string | undefined;
  /** @default "test-host" */
  readonly hostname?: string | undefined;
  /** @default null */
  readonly name?: string | null | undefined;
  /** @default TEST_START */
  readonly created?: TimeInput | undefined;
  /** Plain JSON values, which are copied. @default {} */
  readonly data?: object | undefined;
}

/** Fields of an event for a test. */
export interface EventFields {
  /** @default TEST_START */
  readonly timestamp?: TimeInput | undefined;
  /** @default one minute */
  readonly duration?: DurationInput | DurationMicros | undefined;
  /** @default data of a window watcher, `{ app: "Code", title: "notes.md" }` */
  readonly data?: object | undefined;
  /** @default none: the server assigns one */
  readonly id?: number | undefined;
}

/** A series of heartbeats. */
export interface HeartbeatsOptions {
  /** Time between two heartbeats. */
  readonly every: DurationInput;
  /** Time from the first heartbeat to the last, if `every` divides it. No heartbeat is later. */
  readonly for: DurationInput;
  /**
   * Data of all heartbeats, or a function that returns the data of each. @default `{ app: "Code", title: "notes.md" }`
   */
  readonly data?: object | ((index: number, timestamp: TimestampMicros) => object) | undefined;
  /** Time of the first heartbeat. @default TEST_START */
  readonly start?: TimeInput | undefined;
  /** Duration of each heartbeat. @default 0 */
  readonly duration?: DurationInput | DurationMicros | undefined;
}

/** More heartbeats than a test can need; a wrong unit would cause them. */
const MAX_HEARTBEATS = 1_000_000;

/** Data of a window watcher. */
const WINDOW_DATA: JsonObject = { app: "Code", title: "notes.md" };

/**
 * Creates a bucket for `server.buckets.create(bucket.id, bucket)`: a window watcher's, unless fields specify another.
 * Without fields it is always the same.
 *
 * @throws ActivityError `INVALID_INPUT` that names the field
 */
export function bucket(fields: BucketFields = {}): Bucket<TimestampMicros> {
  const known = ["id", "type", "client", "hostname", "name", "created", "data"] as const;
  const given = checkFields(fields, known, "bucket()");
  const { type: wanted = WATCHERS.window.type } = given;
  const type = parseString(wanted, "type of the bucket");
  const watcher = findWatcher(type);
  const defaults = { client: watcher.client, hostname: TEST_HOSTNAME, created: TEST_START };
  const draft = programParser.bucket({ ...defaults, ...given, type }, "the bucket");
  const prefix = given.client === undefined ? watcher.prefix : draft.client;
  const { id: ownId = `${prefix}_${draft.hostname}` } = given;
  const id = parseString(ownId, "id of the bucket");
  if (id === "") throw mustBe("id of the bucket", "a string with at least one character", id);
  return { id, created: TEST_START, ...draft } as Bucket<TimestampMicros>;
}

/**
 * Creates an event to insert, or a heartbeat: a minute of one window, unless fields specify another. Without fields it
 * is always the same. The function has no state, so tests cannot influence each other.
 *
 * @throws ActivityError `INVALID_INPUT` that names the field
 */
export function event(fields: EventFields = {}): ActivityEventDraft {
  const given = checkFields(fields, ["timestamp", "duration", "data", "id"], "event()");
  const defaults = { timestamp: TEST_START, duration: "1m", data: WINDOW_DATA };
  return activityEvent(programParser.event({ ...defaults, ...given }, "the event", true));
}

/**
 * Creates the heartbeats that a watcher sends during one activity, including both ends: heartbeats every 5 s for 10
 * minutes are 121, and merged with a pulsetime of 5 s or more they are one event of 10 minutes.
 *
 * @throws ActivityError `INVALID_INPUT` that names the field, also for more than a million heartbeats
 */
export function heartbeats(options: HeartbeatsOptions): ActivityEventDraft[] {
  const given = checkFields(options, ["every", "for", "data", "start", "duration"], "heartbeats()");
  const { start: first = TEST_START, duration: each = 0 } = given;
  const every = parsePositiveDuration(given.every, "every of heartbeats()");
  const lasting = toDuration(given.for, "for of heartbeats()");
  const start = toTimestamp(first, "start of heartbeats()");
  const duration = parseEventDuration(each, "duration of heartbeats()");
  if (lasting < 0) throw mustBe("for of heartbeats()", "a duration of 0 or more", given.for);
  const count = Math.floor(lasting / every) + 1;
  if (count > MAX_HEARTBEATS) {
    throw invalid(`every of heartbeats() must be long enough for at most ${MAX_HEARTBEATS} heartbeats, got ${count}`);
  }
  const { data = WINDOW_DATA } = options;
  return Array.from({ length: count }, (_, index) => {
    const timestamp = (start + index * every) as TimestampMicros;
    const own = typeof data === "function" ? data(index, timestamp) : data;
    // A string, because numbers of early 1970 look like milliseconds.
    const beat = { timestamp: serializeTimestamp(timestamp), duration, data: own };
    return activityEvent(programParser.event(beat, `heartbeat ${index}`, false));
  });
}
