// What a server must hold after a list of heartbeats: computed from the requests alone, sharing no code with `src`.
import { isDeepStrictEqual } from "node:util";

const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|\+00:00)$/;

/** Integer microseconds of a UTC timestamp. */
export function microsOf(timestamp) {
  const [, seconds, fraction = "", zone] = INSTANT.exec(timestamp) ?? [];
  if (zone === undefined) throw new Error(`not a UTC timestamp: ${timestamp}`);
  return Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, "0"));
}

const microsOfSeconds = (seconds) => Math.round(seconds * 1e6);

/**
 * Folds heartbeats of one bucket, in the order in which they arrived.
 *
 * @param {{ pulsetime: number, event: { timestamp: string, duration?: number, data: object } }[]} beats
 * @returns {{ start: number, end: number, data: object }[]} spans in microseconds, oldest first
 */
export function foldBeats(beats) {
  const spans = [];
  let partner;
  for (const { pulsetime, event } of beats) {
    const start = microsOf(event.timestamp);
    const end = start + microsOfSeconds(event.duration ?? 0);
    const joins =
      partner !== undefined &&
      partner.end >= partner.start &&
      start >= partner.start &&
      start <= partner.end + microsOfSeconds(pulsetime) &&
      isDeepStrictEqual(partner.data, event.data);
    if (joins) partner.end = Math.max(partner.end, end);
    else {
      partner = { start, end, data: event.data };
      spans.push(partner);
    }
  }
  // Stable: among equal starts the one that came last stays last, as its id is the highest.
  return spans.sort((a, b) => a.start - b.start);
}

/** Spans of the events that a server answered, oldest first. */
export function spansOf(events) {
  return events.toReversed().map(({ timestamp, duration, data }) => {
    const start = microsOf(timestamp);
    return { start, end: start + microsOfSeconds(duration), data };
  });
}

/** Where two lists of spans differ, as readable lines. */
export function differencesOf(expected, stored) {
  const lines = [];
  const print = (span) =>
    span === undefined
      ? "nothing"
      : `${new Date(span.start / 1000).toISOString()} +${(span.end - span.start) / 1e6} s ${JSON.stringify(span.data)}`;
  for (let index = 0; index < Math.max(expected.length, stored.length); index++) {
    if (isDeepStrictEqual(expected[index], stored[index])) continue;
    lines.push(`#${index}: expected ${print(expected[index])}, stored ${print(stored[index])}`);
  }
  return lines;
}
