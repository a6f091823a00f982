import { MICROS_PER_SECOND, type Micros, parseTimestamp, serializeTimestamp } from "../domain/time.js";
import { memoize } from "../util/memoize.js";
import type { Value } from "./values.js";

/** The period that a program runs over, including both ends. */
export interface Timeperiod {
  /** Microseconds since 1970-01-01 UTC. */
  readonly start: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end: Micros;
  /** Both ends as the program sees them, in the time zone of the request. */
  readonly startText: string;
  readonly endText: string;
}

/**
 * Parses `start/end` (docs/reference/compatibility.md#programs-over-http); `undefined` for anything else. Pages repeat
 * the same few periods, and formatting one would cost a tenth of the row `query-day`.
 */
export const parseTimeperiod: (text: string) => Timeperiod | undefined = memoize((text) => {
  const [startText, endText, ...rest] = text.split("/");
  if (startText === undefined || endText === undefined || rest.length > 0) return undefined;
  const start = parseTimestamp(startText);
  const end = parseTimestamp(endText);
  if (start === undefined || end === undefined) return undefined;
  return { start, end, startText: formatInZone(startText, start), endText: formatInZone(endText, end) };
});

/** Creates a period from two timestamps. A program sees them in UTC. */
export function createTimeperiod(start: Micros, end: Micros): Timeperiod {
  return { start, end, startText: serializeTimestamp(start), endText: serializeTimestamp(end) };
}

const ZONE = /[Tt ][^+-]*([+-])(\d\d):?(\d\d)?$/;

/** Formats a timestamp in the time zone of its original string. UTC is always `+00:00`. */
function formatInZone(text: string, micros: Micros): string {
  const [, sign, hours, minutes = "00"] = ZONE.exec(text) ?? [];
  const seconds = (Number(hours ?? 0) * 3600 + Number(minutes) * 60) * (sign === "-" ? -1 : 1);
  if (seconds === 0) return serializeTimestamp(micros);
  const local = serializeTimestamp(micros + seconds * MICROS_PER_SECOND);
  return `${local.slice(0, -"+00:00".length)}${sign}${hours}:${minutes}`;
}

/** Names of the variables that contain the period. Assigning them changes the range of later reads. */
export const WINDOW_VARIABLES = { start: "STARTTIME", end: "ENDTIME", both: "TIMEINTERVAL" } as const;

/** The current range of reads. Its start may be after its end. */
export interface Span {
  readonly kind: "span";
  /** Microseconds since 1970-01-01 UTC. */
  readonly start: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end: Micros;
}

/** A variable of the window does not contain a time, so that no range is known. */
export interface NoWindow {
  readonly kind: "none";
  readonly variable: string;
}

/** The time window of a run. */
export interface Window {
  /** The window's variables before the program starts. */
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** Updates the window after an assignment. */
  update(name: string, value: Value): void;
  /** The current window. */
  period(): Span | NoWindow;
}

/** One end of a window, and the variable that set it. `time` is `undefined` if the variable does not contain one. */
interface WindowEnd {
  readonly variable: string;
  readonly time: Micros | undefined;
}

/** Creates a window from a period. */
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
    update(name, value) {
      if (name === startName) state.start = { variable: name, time: readTime(value) };
      else if (name === endName) state.end = { variable: name, time: readTime(value) };
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

function readTime(value: Value): Micros | undefined {
  return typeof value === "string" ? parseTimestamp(value) : undefined;
}
