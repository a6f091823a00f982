import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { MICROS_PER_SECOND, type Micros, secondsToMicros } from "../domain/time.js";
import { csvRecords, instantOf } from "./csv.js";
import { ForeignFormatError, type ProgramEvents } from "./program-events.js";

/** A pause after which WakaTime takes somebody to have stopped, unless a setting says otherwise. */
const TIMEOUT: Micros = 15 * 60 * MICROS_PER_SECOND;

/** What of a heartbeat says what was done; the rest is where the cursor stood, and numbers of accounts. */
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

/** Whether a table, by its columns, is one of heartbeats, as scripts around Wakapi write them. */
export function areHeartbeats(columns: readonly string[]): boolean {
  return columns.includes("entity") && (columns.includes("time") || columns.includes("created_at"));
}

/**
 * Reads a dump of WakaTime (`{user, range, days: [{date, heartbeats}]}`, or `durations`), or what the API of WakaTime
 * and Wakapi answers (`{data: [heartbeat]}`, or the list alone).
 *
 * @throws ForeignFormatError for a dump that has totals only
 */
export function readWakatime(value: JsonValue): ProgramEvents[] {
  const { user, days, data } = isJsonObject(value) ? value : { user: undefined, days: undefined, data: value };
  const lists = Array.isArray(days) ? days.map((day) => entriesOf(day)) : [Array.isArray(data) ? data : []];
  const entries = lists.flat().filter(isJsonObject);
  if (entries.length === 0 && Array.isArray(days) && days.length > 0) {
    throw new ForeignFormatError("it holds totals of days, without times; ask WakaTime for the dump of heartbeats");
  }
  return [eventsOf(entries, nameOf(user))];
}

/** Reads a table of heartbeats. */
export function readWakapiCsv(text: string): ProgramEvents[] {
  return [eventsOf([...csvRecords(text)], undefined)];
}

function entriesOf(day: JsonValue): readonly JsonValue[] {
  const { heartbeats, durations } = isJsonObject(day) ? day : {};
  if (Array.isArray(heartbeats)) return heartbeats;
  return Array.isArray(durations) ? durations : [];
}

function nameOf(user: JsonValue | undefined): string | undefined {
  const name = isJsonObject(user) ? (user["username"] ?? user["id"]) : undefined;
  return typeof name === "string" ? name : undefined;
}

type Entry = { readonly timestamp: Micros; readonly duration: Micros | undefined; readonly data: JsonObject };

/** Heartbeats last until the next one, unless that comes too late; what was the same all the time is one event. */
function eventsOf(entries: readonly JsonObject[], user: string | undefined): ProgramEvents {
  const read = entries.map(entryOf);
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

function entryOf(entry: JsonObject): Entry | undefined {
  const time = entry["time"] ?? entry["created_at"];
  const timestamp = typeof time === "number" || typeof time === "string" ? instantOf(time) : undefined;
  if (timestamp === undefined) return undefined;
  const { duration } = entry;
  const data: Record<string, JsonValue> = {};
  for (const [from, to] of FIELDS) {
    const value = entry[from];
    if (value !== undefined && value !== null && value !== "") data[to] = value;
  }
  return { timestamp, duration: typeof duration === "number" ? secondsToMicros(duration) : undefined, data };
}
