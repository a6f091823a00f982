import { type ActivityEventDraft, activityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";
import { MICROS_PER_MILLI } from "../domain/time.js";
import type { Random } from "./random.js";
import { createScreen, type Scene, type Screen } from "./scenes.js";
import type { MillisRange } from "./sessions.js";

/** The events of a desk's watchers, each in the order of time. */
export interface WatcherEvents {
  readonly window: readonly ActivityEventDraft[];
  readonly web: readonly ActivityEventDraft[];
  readonly editor: readonly ActivityEventDraft[];
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Half of the windows are active for less, in milliseconds. */
const MEDIAN_WINDOW = 5 * SECOND;
/** A window watcher polls once a second. */
const SHORTEST_WINDOW = SECOND;
const LONGEST_WINDOW = 25 * MINUTE;
const TASK = [8 * MINUTE, 45 * MINUTE] as const;
/** A browser reports its page shortly after it becomes active. */
const PAGE_LAG = 400;
/** Users look at a file before and after they edit it. */
const READING = 2 * SECOND;
/** Share of files that are only read. */
const ONLY_READ = 0.08;

/** Fills sessions of work with windows, without gap or overlap, and derives pages and files from them. */
export function createWatcherEvents(sessions: readonly MillisRange[], hostname: string, random: Random): WatcherEvents {
  const screen = createScreen(hostname, random);
  const seen = {
    window: [] as ActivityEventDraft[],
    web: [] as ActivityEventDraft[],
    editor: [] as ActivityEventDraft[],
  };
  for (const session of sessions) {
    screen.changeTask();
    let taskEnd = session.start + random.between(...TASK);
    for (const stretch of drawWindows(session, random)) {
      if (stretch.start >= taskEnd) {
        screen.changeTask();
        taskEnd = stretch.start + random.between(...TASK);
      }
      const scene = drawDifferentScene(screen, seen.window.at(-1));
      seen.window.push(toEvent(stretch, scene.window));
      if (scene.web !== undefined) seen.web.push(toEvent(drawPageRange(stretch, random), scene.web));
      if (scene.editor !== undefined && !random.chance(ONLY_READ)) {
        seen.editor.push(toEvent(drawInputRange(stretch, random), scene.editor));
      }
    }
  }
  return seen;
}

/** Cuts a session into periods of one window each; the last one ends with it. */
function* drawWindows({ start, end }: MillisRange, random: Random): Generator<MillisRange> {
  let at = start;
  while (at < end) {
    const length = Math.max(SHORTEST_WINDOW, Math.round(random.heavyTailed(MEDIAN_WINDOW, LONGEST_WINDOW)));
    const next = end - at - length < SHORTEST_WINDOW ? end : at + length;
    yield { start: at, end: next };
    at = next;
  }
}

/** A different scene: an unchanged one would not create a new event. */
function drawDifferentScene(screen: Screen, last: ActivityEventDraft | undefined): Scene {
  let scene = screen.next();
  while (scene.window.app === last?.data.app && scene.window.title === last.data.title) scene = screen.next();
  return scene;
}

function drawPageRange({ start, end }: MillisRange, random: Random): MillisRange {
  return { start: start + random.between(0, Math.min(PAGE_LAG, Math.floor((end - start) / 2))), end };
}

function drawInputRange({ start, end }: MillisRange, random: Random): MillisRange {
  const quarter = Math.floor((end - start) / 4);
  return { start: start + random.between(0, Math.min(READING, quarter)), end: end - random.between(0, quarter) };
}

/** Watchers report times of whole milliseconds. */
export function toEvent({ start, end }: MillisRange, data: JsonObject): ActivityEventDraft {
  return activityEvent({ timestamp: start * MICROS_PER_MILLI, duration: (end - start) * MICROS_PER_MILLI, data });
}
