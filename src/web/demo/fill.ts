// Fills the demo. A separate chunk, since few users need it.
import type { ActivityClient } from "../../client/client-types.js";
import { DEMO_HOST } from "../../domain/demo.js";
import { realisticDay } from "../../testing/day.js";
import type { FilledDay } from "../../testing/filling.js";
import { toWire } from "../../testing/to-wire.js";
import { MARK } from "./demo.js";

const DAYS = 14;
const DAY_MILLIS = 86_400_000;
const KINDS: readonly (keyof FilledDay)[] = ["window", "afk", "web", "editor"];

/** Options for filling the demo. */
export interface DemoOptions {
  readonly client: ActivityClient;
  /** Time zone of the working hours. */
  readonly zone: string;
  /** In Unix milliseconds; no event is later. */
  readonly now: number;
  readonly signal?: AbortSignal;
  /** Called after each day, with values from 0 to 1. */
  onProgress(share: number): void;
}

/** The date of a timestamp in a zone, as `YYYY-MM-DD`. */
export function dateIn(zone: string, millis: number): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

/** Dates of the last two weeks, without weekends except for today. */
export function demoDates(zone: string, now: number): string[] {
  const today = dateIn(zone, now);
  const noon = Date.parse(`${today}T12:00:00Z`);
  const dates = Array.from({ length: DAYS }, (_, ago) => new Date(noon - (DAYS - 1 - ago) * DAY_MILLIS));
  const isWeekend = (date: Date): boolean => date.getUTCDay() % 6 === 0;
  return dates
    .map((date) => date.toISOString().slice(0, 10))
    .filter((date) => date === today || !isWeekend(new Date(date)));
}

/**
 * Creates the buckets of the demo and fills them with two weeks of work.
 *
 * @returns seconds of window events per date
 * @throws ActivityClientError; anything created before stays, and `removeDemo` removes it
 */
export async function fillDemo(options: DemoOptions): Promise<ReadonlyMap<string, number>> {
  const { client, zone, now, signal, onProgress } = options;
  const dates = demoDates(zone, now);
  const filled = new Map<string, number>();
  onProgress(0);
  for (const [index, date] of dates.entries()) {
    const day = realisticDay({ seed: index + 1, date, timezone: zone, hostname: DEMO_HOST });
    for (const kind of KINDS) {
      const { bucket, events } = day[kind];
      const { id, type, client: watcher, hostname } = bucket;
      if (index === 0) await client.buckets.create(id, { type, client: watcher, hostname, data: MARK }, { signal });
      const past = events.map(toWire).filter((event) => Date.parse(event.timestamp) + event.duration * 1000 <= now);
      if (past.length > 0) await client.events.insert(id, past, { signal });
      const seconds = past.reduce((sum, { duration }) => sum + duration, 0);
      if (kind === "window") filled.set(date, seconds);
    }
    onProgress((index + 1) / dates.length);
  }
  return filled;
}
