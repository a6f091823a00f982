// Events as spans of seconds, for tests of merging.
import type { ActivityServer, EventInput } from "../../src/index.js";

export const NOON: number = Date.parse("2024-03-01T12:00:00Z");

/** Seconds from and to, and what happened. */
export type Span = readonly [from: number, to: number, app: string];

/** Spans as a line of text, such as `0..10 mail, 20..30 web`. */
export function spansIn(line: string): Span[] {
  const all = [...line.matchAll(/(-?\d+)\.\.(-?\d+) ([^,]+)/g)];
  return all.map(([, from, to, app = ""]) => [Number(from), Number(to), app]);
}

export function lineOf(spans: readonly Span[]): string {
  return spans.map(([from, to, app]) => `${from}..${to} ${app}`).join(", ");
}

export function event([from, to, app]: Span): EventInput & { readonly timestamp: Date } {
  return { timestamp: new Date(NOON + from * 1000), duration: { seconds: to - from }, data: { app } };
}

export async function idsAndSpans(server: ActivityServer, bucketId: string): Promise<[id: number, ...Span][]> {
  const events = await server.events.read(bucketId, { order: "oldest" }).toArray();
  return events.map(({ id, timestamp, duration, data }) => {
    const from = timestamp / 1_000_000 - NOON / 1000;
    return [id, from, from + duration / 1_000_000, String(data["app"])];
  });
}

export async function spans(server: ActivityServer, bucketId: string): Promise<Span[]> {
  return (await idsAndSpans(server, bucketId)).map(([, ...span]) => span);
}

/** What a bucket has, as a line. */
export async function line(server: ActivityServer, bucketId: string): Promise<string> {
  return lineOf(await spans(server, bucketId));
}

export async function ids(server: ActivityServer): Promise<string[]> {
  return (await server.buckets.list()).map(({ id }) => id);
}
