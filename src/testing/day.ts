import type { ActivityEventDraft } from "../domain/activity-event.js";
import { MICROS_PER_SECOND, serializeTimestamp, type TimestampMicros } from "../domain/time.js";
import { mustBe } from "../errors.js";
import { parseString } from "../service/validation.js";
import { bucket } from "./builders.js";
import { checkFields } from "./check-fields.js";
import type { FilledBucket, FilledDay } from "./filling.js";
import { type LocalDay, localDay } from "./local-day.js";
import { createRandom } from "./random.js";
import { drawSessions, type MillisRange } from "./sessions.js";
import { createWatcherEvents, toEvent } from "./watcher-events.js";
import { TEST_HOSTNAME, WATCHERS } from "./watchers.js";

/** Options of a generated day. */
export interface DayOptions {
  /** An integer. Another seed creates another day. @default 1 */
  readonly seed?: number | undefined;
  /** The date in the time zone, from 1970 to 2199. @default "2024-03-01" */
  readonly date?: string | undefined;
  /** The name of a time zone. @default "UTC" */
  readonly timezone?: string | undefined;
  /** The computer that the watchers run on. @default "test-host" */
  readonly hostname?: string | undefined;
}

const DEFAULTS = { seed: 1, date: "2024-03-01", timezone: "UTC", hostname: TEST_HOSTNAME };

/** A workday at one computer. */
export interface RealisticDay extends FilledDay {
  readonly seed: number;
  readonly date: string;
  readonly timezone: string;
  /** Local midnight, or the end of the gap if clocks skip it; microseconds. */
  readonly start: TimestampMicros;
  /** Start of the next date; microseconds. No event ends later. */
  readonly end: TimestampMicros;
}

/**
 * Creates a day of work, as ActivityWatch's watchers record it. The same options always create the same day. It only
 * depends on the machine's table of time zones.
 *
 * - **Presence.** The person arrives between 8:15 and 9:30 local time and works 7.2 to 8.8 hours in total, in sessions
 *   of 10 to 115 minutes. Breaks between sessions take 3.5 to 14 minutes. The first break at or after a time between
 *   11:45 and 13:00 is lunch, and takes 30 to 65 minutes.
 * - **`afk`** alternates between `afk` and `not-afk` over the whole day without a gap, and starts and ends with `afk`.
 * - **`window`** fills the sessions without gap or overlap, with 600 to 1,600 events. Half of the windows are active
 *   for less than 5 seconds, and one in a hundred for more than 8 minutes, at most 25. Successive windows differ.
 * - **`web`** has a page for each browser window, from at most 0.4 seconds after the window became active until the
 *   next one. Its title is the window's title without the name of the browser.
 * - **`editor`** has a file for most editor windows, for the time between the first and last input in it.
 *
 * All events ascend by time, are longer than 0, are within the date, and start and end at whole milliseconds.
 *
 * @throws ActivityError `INVALID_INPUT` that names the option
 */
export function realisticDay(options: DayOptions = {}): RealisticDay {
  const given = { ...DEFAULTS, ...checkFields(options, ["seed", "date", "timezone", "hostname"], "realisticDay()") };
  const seed = checkSeed(given.seed);
  const date = parseString(given.date, "date");
  const timezone = parseString(given.timezone, "timezone");
  const hostname = parseString(given.hostname, "hostname");
  const day = localDay(date, timezone);
  const random = createRandom(`day ${seed} ${date} ${timezone}`);
  const sessions = drawSessions(day, random);
  const { window, web, editor } = createWatcherEvents(sessions, hostname, random);
  const created = (day.start * MICROS_PER_SECOND) as TimestampMicros;

  function createFilledBucket(name: keyof FilledDay, events: readonly ActivityEventDraft[]): FilledBucket {
    const { type, client, prefix } = WATCHERS[name];
    // A string, because numbers of early 1970 look like milliseconds.
    const fields = { type, client, hostname, created: serializeTimestamp(created) };
    return { bucket: bucket({ id: `${prefix}_${hostname}`, ...fields }), events };
  }

  return {
    seed,
    date,
    timezone,
    start: created,
    end: (day.end * MICROS_PER_SECOND) as TimestampMicros,
    window: createFilledBucket("window", window),
    afk: createFilledBucket("afk", createAfkEvents(day, sessions)),
    web: createFilledBucket("web", web),
    editor: createFilledBucket("editor", editor),
  };
}

/** @throws ActivityError `INVALID_INPUT` */
export function checkSeed(seed: unknown): number {
  if (typeof seed === "number" && Number.isSafeInteger(seed)) return seed;
  throw mustBe("seed", "an integer", seed);
}

/** Away, there, away, ... from the beginning of the day to its end. */
function createAfkEvents(day: LocalDay, sessions: readonly MillisRange[]): ActivityEventDraft[] {
  const events: ActivityEventDraft[] = [];
  let at = day.start * 1000;
  for (const session of sessions) {
    events.push(toEvent({ start: at, end: session.start }, { status: "afk" }));
    events.push(toEvent(session, { status: "not-afk" }));
    at = session.end;
  }
  events.push(toEvent({ start: at, end: day.end * 1000 }, { status: "afk" }));
  return events;
}
