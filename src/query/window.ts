import { MICROS_PER_SECOND, type Micros, parseTimestamp, serializeTimestamp } from "../domain/time.js";
import type { Value } from "./values.js";

/** What a program is asked about: both ends are included. */
export interface Timeperiod {
  /** Microseconds since 1970-01-01 UTC. */
  readonly start: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end: Micros;
  /** As a program sees them, in the zone in which they were sent. */
  readonly startText: string;
  readonly endText: string;
}

/** Reads `start/end` (docs/compatibility.md#programs-over-http); `undefined` for anything else. */
export function parseTimeperiod(text: string): Timeperiod | undefined {
  const [startText, endText, ...rest] = text.split("/");
  if (startText === undefined || endText === undefined || rest.length > 0) return undefined;
  const start = parseTimestamp(startText);
  const end = parseTimestamp(endText);
  if (start === undefined || end === undefined) return undefined;
  return { start, end, startText: inZoneOf(startText, start), endText: inZoneOf(endText, end) };
}

/** A period that was given as two instants; a program sees it in UTC. */
export function timeperiodOf(start: Micros, end: Micros): Timeperiod {
  return { start, end, startText: serializeTimestamp(start), endText: serializeTimestamp(end) };
}

const ZONE = /[Tt ][^+-]*([+-])(\d\d):?(\d\d)?$/;

/** Writes an instant in the zone of the text that it was read from; UTC is `+00:00`, however it was written. */
function inZoneOf(text: string, micros: Micros): string {
  const [, sign, hours, minutes = "00"] = ZONE.exec(text) ?? [];
  const seconds = (Number(hours ?? 0) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1 : 1);
  if (seconds === 0) return serializeTimestamp(micros);
  const local = serializeTimestamp(micros + seconds * MICROS_PER_SECOND);
  return `${local.slice(0, -"+00:00".length)}${sign}${hours}:${minutes}`;
}

/** The names of the variables that hold the period; assigning them moves what later reads see. */
const WINDOW_VARIABLES = { start: "STARTTIME", end: "ENDTIME", both: "TIMEINTERVAL" } as const;

/** What a run reads now; its ends may be the wrong way round. */
export interface Span {
  readonly kind: "span";
  /** Microseconds since 1970-01-01 UTC. */
  readonly start: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end: Micros;
}

/** It is not known what to read: a variable of the window holds no time. */
export interface NoWindow {
  readonly kind: "none";
  readonly variable: string;
}

/** The window that a run reads through, and what moves it. */
export interface Window {
  /** The variables that hold it, as they are before the program begins. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Takes note of an assignment. */
  assigned(name: string, value: Value): void;
  /** The window now. */
  period(): Span | NoWindow;
}

/** One end of a window, and the variable that has set it; without a time when that holds none. */
interface WindowEnd {
  readonly variable: string;
  readonly time: Micros | undefined;
}

/** Opens the window at a period. */
export function createWindow({ start, end, startText, endText }: Timeperiod): Window {
  const { start: startName, end: endName, both } = WINDOW_VARIABLES;
  const state: { start: WindowEnd; end: WindowEnd } = {
    start: { variable: startName, time: start },
    end: { variable: endName, time: end },
  };
  return {
    variables: [
      [startName, startText],
      [endName, endText],
      [both, `${serializeTimestamp(start)}/${serializeTimestamp(end)}`],
    ],
    assigned(name, value) {
      if (name === startName) state.start = { variable: name, time: timeOf(value) };
      else if (name === endName) state.end = { variable: name, time: timeOf(value) };
      else if (name === both) {
        const period = typeof value === "string" ? parseTimeperiod(value) : undefined;
        state.start = { variable: name, time: period?.start };
        state.end = { variable: name, time: period?.end };
      }
    },
    period() {
      const { start, end } = state;
      if (start.time === undefined) return { kind: "none", variable: start.variable };
      if (end.time === undefined) return { kind: "none", variable: end.variable };
      return { kind: "span", start: start.time, end: end.time };
    },
  };
}

function timeOf(value: Value): Micros | undefined {
  return typeof value === "string" ? parseTimestamp(value) : undefined;
}
