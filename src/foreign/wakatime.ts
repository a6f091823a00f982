import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { MICROS_PER_SECOND, type Micros, secondsToMicros } from "../domain/time.js";
import { parseCsvRecords, parseTime } from "./csv.js";
import { ForeignFormatError, type ProgramEvents } from "./program-events.js";

/** Pause after which WakaTime ends an activity, unless a setting overrides it. */
const TIMEOUT: Micros = 15 * 60 * MICROS_PER_SECOND;

/** Fields of a heartbeat that describe the activity; the rest are cursor positions and account numbers. */
const FIELDS: readonly (readonly [from: string, to: string])[] = [
  ["entity", "file"],
  ["project", "project"],
  ["branch", "branch"],
  ["language", "language"],
  ["category", "category"],
  ["type", "type"],
  ["editor", "editor"],
  ["operating_system", "operating_system"],
  ["machine", "machine"],
];

/** Whether a table has the columns of heartbeats, as scripts for Wakapi write them. */
export function areHeartbeats(columns: readonly string[]): boolean {
  return columns.includes("entity") && (columns.includes("time") || columns.includes("created_at"));
}

/**
 * Reads a dump of WakaTime (`{user, range, days: [{date, heartbeats}]}`, or `durations`), or a response of the API of
 * WakaTime or Wakapi (`{data: [heartbeat]}`, or only the list).
 *
 * @throws ForeignFormatError for a dump with only totals
 */
export function readWakatime(value: JsonValue): ProgramEvents[] {
  const { user, days, data } = isJsonObject(value) ? value : { user: undefined, days: undefined, data: value };
  const lists = Array.isArray(days) ? days.map((day) => listEntries(day)) : [Array.isArray(data) ? data : []];
  const entries = lists.flat().filter(isJsonObject);
  if (entries.length === 0 && Array.isArray(days) && days.length > 0) {
    throw new ForeignFormatError("it contains only daily totals; request the dump of heartbeats from WakaTime");
  }
  return [mergeHeartbeats(entries, readUserName(user))];
}

/** Reads a table of heartbeats. */
export function readWakapiCsv(text: string): ProgramEvents[] {
  return [mergeHeartbeats([...parseCsvRecords(text)], undefined)];
}

function listEntries(day: JsonValue): readonly JsonValue[] {
  const { heartbeats, durations } = isJsonObject(day) ? day : {};
  if (Array.isArray(heartbeats)) return heartbeats;
  return Array.isArray(durations) ? durations : [];
}

function readUserName(user: JsonValue | undefined): string | undefined {
  const name = isJsonObject(user) ? (user["username"] ?? user["id"]) : undefined;
  return typeof name === "string" ? name : undefined;
}

type Entry = { readonly timestamp: Micros; readonly duration: Micros | undefined; readonly data: JsonObject };

/** Heartbeats last until the next one, unless that comes too late; equal successive heartbeats are one event. */
function mergeHeartbeats(entries: readonly JsonObject[], user: string | undefined): ProgramEvents {
  const read = entries.map(parseEntry);
  const valid = read.filter((entry) => entry !== undefined).sort((a, b) => a.timestamp - b.timestamp);
  const events: { timestamp: Micros; duration: Micros; data: JsonObject }[] = [];
  for (const [index, { timestamp, duration, data }] of valid.entries()) {
    const gap = (valid[index + 1]?.timestamp ?? timestamp) - timestamp;
    const length = duration ?? (gap <= TIMEOUT ? gap : 0);
    const last = events.at(-1);
    const touches = last !== undefined && last.timestamp + last.duration === timestamp;
    if (duration === undefined && touches && JSON.stringify(last.data) === JSON.stringify(data))
      last.duration += length;
    else events.push({ timestamp, duration: length, data });
  }
  const id = `wakatime${user === undefined ? "" : `_${user}`}`;
  return {
    name: "WakaTime",
    bucket: { id, type: "app.editor.activity", client: "activity-server import", hostname: "unknown" },
    events,
    invalid: read.length - valid.length,
  };
}

function parseEntry(entry: JsonObject): Entry | undefined {
  const time = entry["time"] ?? entry["created_at"];
  const timestamp = typeof time === "number" || typeof time === "string" ? parseTime(time) : undefined;
  if (timestamp === undefined) return undefined;
  const { duration } = entry;
  const data: Record<string, JsonValue> = {};
  for (const [from, to] of FIELDS) {
    const value = entry[from];
    if (value !== undefined && value !== null && value !== "") data[to] = value;
  }
  return { timestamp, duration: typeof duration === "number" ? secondsToMicros(duration) : undefined, data };
}
