import type { EventDraft } from "../../domain/event.js";
import { isJsonObject, type JsonObject, jsonDefect } from "../../domain/json.js";
import { millisRemedy } from "../../domain/millis.js";
import {
  EARLIEST,
  LATEST,
  MICROS_PER_MILLI,
  type Micros,
  microsToSeconds,
  parseTimestamp,
  secondsToMicros,
  serializeTimestamp,
} from "../../domain/time.js";
import type { Instant } from "../client-types.js";
import { serializeJson } from "../serializing.js";
import { HeartbeatQueueError } from "./queue-error.js";
import { warningText } from "./warning.js";

export interface QueueBeat<Data extends object = JsonObject> {
  /** Its start. @default now */
  readonly timestamp?: Instant | undefined;
  /** Seconds, 0 or more. @default 0 */
  readonly duration?: number | undefined;
  /** Data of the current activity. @default {} */
  readonly data?: Data | undefined;
}

export interface WireBeat {
  readonly timestamp: string;
  /** Seconds. */
  readonly duration: number;
  readonly data: JsonObject;
}

/**
 * Checks and copies a heartbeat, so that the caller may reuse the object.
 *
 * @param now Unix milliseconds, for heartbeats without a timestamp
 * @throws HeartbeatQueueError `INVALID_EVENT`
 */
export function parseBeat<Data extends object>(beat: QueueBeat<Data>, now: number): EventDraft {
  const given: unknown = beat;
  if (!isJsonObject(given)) throw invalid(`the event must be an object, got ${shown(given)}`);
  const { timestamp = new Date(now), duration = 0, data = {} } = given as Readonly<Record<string, unknown>>;
  const event = { timestamp: parseTime(timestamp), duration: parseDuration(duration), data: copyData(data) };
  if (!endsInTime(event)) throw invalid(`duration must let the event end before 2250, got ${duration}`);
  return event;
}

/** Whether an event ends at a time that the server supports. */
export function endsInTime({ timestamp, duration }: Pick<EventDraft, "timestamp" | "duration">): boolean {
  return timestamp + duration < LATEST;
}

export function serializeBeat({ timestamp, duration, data }: EventDraft): WireBeat {
  return { timestamp: serializeTimestamp(timestamp), duration: microsToSeconds(duration), data };
}

function parseTime(value: unknown): Micros {
  const micros =
    value instanceof Date
      ? Math.round(value.getTime() * MICROS_PER_MILLI)
      : typeof value === "string"
        ? parseTimestamp(value)
        : undefined;
  if (micros !== undefined && micros >= EARLIEST && micros < LATEST) return micros;
  const remedy = millisRemedy(value);
  const wanted = "a Date or an ISO 8601 string between 1700 and 2249";
  throw invalid(`timestamp must be ${wanted}, got ${shown(value)}${remedy && `; ${remedy}`}`);
}

/** A negative duration would never merge, so a repeated request would store it twice. */
function parseDuration(value: unknown): Micros {
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return secondsToMicros(value);
  throw invalid(`duration must be seconds of 0 or more, got ${shown(value)}`);
}

function copyData(value: unknown): JsonObject {
  let copy: unknown;
  try {
    copy = JSON.parse(serializeJson(value));
  } catch (cause) {
    throw invalid(`data must be JSON: ${warningText(cause)}`, cause);
  }
  if (!isJsonObject(copy)) throw invalid(`data must be an object, got ${shown(value)}`);
  const defect = jsonDefect(copy);
  if (defect !== undefined) throw invalid(`data ${defect}`);
  return copy;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null && !(value instanceof Date) ? "an object" : String(value);
}

function invalid(message: string, cause?: unknown): HeartbeatQueueError {
  return new HeartbeatQueueError("INVALID_EVENT", message, cause === undefined ? {} : { cause });
}
