import type { ClientEvent, NewEvent } from "../../../client/client-types.js";
import { isJsonObject, type JsonObject } from "../../../domain/json.js";
import { type Micros, parseTimestamp, serializeTimestamp } from "../../../domain/time.js";
import { t } from "../../texts/bucket.js";
import { parseLocal, printLocal } from "./local-time.js";

/** Content of the form fields, as typed. */
export interface EventFields {
  /** Local time, or a timestamp with a zone. */
  readonly start: string;
  /** Seconds, or hours, minutes and seconds: `90`, `1:30`, `1:00:00.5`. */
  readonly duration: string;
  /** JSON. */
  readonly data: string;
}

/** Errors by field. */
export type FieldProblems = { readonly [Field in keyof EventFields]?: string };

/** Parsed form. */
export type ReadForm = { readonly event: NewEvent } | { readonly problems: FieldProblems };

/** The fields for an event. */
export function fieldsOf({ timestamp, duration, data }: ClientEvent, zone: string): EventFields {
  const start = parseTimestamp(timestamp);
  return {
    start: start === undefined ? timestamp : printLocal(start, zone),
    duration: String(duration),
    data: printData(data),
  };
}

/** Formats data for its field. */
export function printData(data: JsonObject): string {
  return JSON.stringify(data, undefined, 2);
}

/** The fields for an event that starts now. */
export function freshFields(now: Micros, zone: string): EventFields {
  return { start: printLocal(Math.floor(now / 1_000_000) * 1_000_000, zone), duration: "0", data: "{}" };
}

/** Parses the form. Only detects input that cannot be sent; the server validates the rest. */
export function readForm(fields: EventFields, zone: string): ReadForm {
  const timestamp = readStart(fields.start, zone);
  const duration = readDuration(fields.duration);
  const data = readData(fields.data);
  if (typeof timestamp === "number" && typeof duration === "number" && typeof data === "object") {
    return { event: { timestamp: serializeTimestamp(timestamp), duration, data } };
  }
  return {
    problems: {
      ...(typeof timestamp === "string" && { start: timestamp }),
      ...(typeof duration === "string" && { duration }),
      ...(typeof data === "string" && { data }),
    },
  };
}

/** @returns microseconds, or an error */
export function readStart(text: string, zone: string): Micros | string {
  const given = text.trim();
  const instant = /(?:[Zz]|[T ].*[+-]\d\d(?::?\d\d)?)$/.test(given) ? parseTimestamp(given) : parseLocal(given, zone);
  return instant ?? t("wrongStart");
}

/** @returns seconds, or an error */
export function readDuration(text: string): number | string {
  const match = /^([+-]?)(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d*)?|\.\d+)$/.exec(text.trim());
  if (match === null) return t("wrongDuration");
  const [, sign, hours = "0", minutes = "0", seconds] = match;
  const length = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -length : length;
}

/** @returns the data, or an error */
export function readData(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isJsonObject(value) ? value : t("notObject", { example: '{ "app": "editor" }' });
  } catch (error) {
    return t("notJson", { reason: error instanceof Error ? error.message : `${error}` });
  }
}
