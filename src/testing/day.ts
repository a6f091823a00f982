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
  /** An integer; another seed gives another day. @default 1 */
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
 * Makes up a day of work, as the watchers of ActivityWatch would have recorded it. The same options always give the
 * same day; nothing depends on the machine but its table of time zones.
 *
 * - **Presence.** Somebody comes between 8:15 and 9:30 local time and works 7.2 to 8.8 hours in all, in sessions of
 *   10 to 115 minutes. Between two sessions lies a break of 3.5 to 14 minutes; the first break at or after a time
 *   between 11:45 and 13:00 is lunch, 30 to 65 minutes.
 * - **`afk`** alternates between `afk` and `not-afk` over the whole day without a gap, beginning and ending with `afk`.
 * - **`window`** fills the sessions without gap or overlap, 600 to 1,600 events. Half of the windows stay for less than
 *   5 seconds, one in a hundred for more than 8 minutes, the longest for 25; two that follow each other differ.
 * - **`web`** has a page for each browser window, from at most 0.4 seconds after it came to the front until it left.
 *   Its title is that of the window without the name of the browser.
 * - **`editor`** has a file for most editor windows, for the time between the first and last input in it.
 *
 * All events ascend by time, are longer than 0, lie within the date, and begin and end on whole milliseconds.
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
