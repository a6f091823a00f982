// What is found first, while all of it is still to be counted.
import type { ClientSearchEvent, ClientSearchGroup } from "../../../client/index.js";
import { folded } from "../../filter/fold.js";
import { type Calendar, dayAt } from "../../period.js";
import { STOPWATCH_BUCKET } from "../../stopwatch/entries.js";
import { MOST_FIRST, type Way } from "./asked.js";

/** A group that is found; what it comes to is there as soon as all is counted. */
export type FoundGroup = Pick<ClientSearchGroup, "key"> &
  Partial<ClientSearchGroup> & {
    /** Whether the key is a label of what was timed by hand, in place of a title. */
    readonly isLabel?: boolean;
  };

/** About a screen of them. */
const MOST_GROUPS = 24;
/** How long all else waits for what is found first, in milliseconds. */
const AHEAD_MILLIS = 150;

/** A search for first rows that runs. */
export interface Early {
  /** Done when they are there, or have taken long enough; `undefined` when nothing is waited for. */
  readonly ahead: Promise<void> | undefined;
  /** How many of them are shown. */
  readonly count: number;
  end(): void;
}

/** Shows what is found first, until it is ended. A failure is none: the search for all has the same, and says so. */
export function firstOf<Row>(
  search: (signal: AbortSignal) => AsyncIterable<Row>,
  signal: AbortSignal,
  show: (rows: readonly Row[]) => void,
): Early {
  const controller = new AbortController();
  const rows: Row[] = [];
  let count = 0;
  let frame: number | undefined;
  const end = (): void => controller.abort();
  const draw = (): void => {
    frame = undefined;
    count = rows.length;
    show([...rows]);
  };
  const take = async (): Promise<void> => {
    for await (const row of search(controller.signal)) {
      if (controller.signal.aborted) return;
      rows.push(row);
      frame ??= requestAnimationFrame(draw);
      if (rows.length >= MOST_GROUPS) return;
    }
  };
  signal.addEventListener("abort", end, { once: true });
  const ahead = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, AHEAD_MILLIS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    controller.signal.addEventListener("abort", () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      done();
    });
    take().then(done, done);
  });
  return {
    ahead,
    get count() {
      return count;
    },
    end,
  };
}

/** The groups of events, each when its first event comes. */
export async function* groupsOf(
  events: AsyncIterable<ClientSearchEvent>,
  way: Exclude<Way, "events">,
  calendar: Calendar,
): AsyncGenerator<FoundGroup, void, undefined> {
  const known = new Set<string | null>();
  let looked = 0;
  for await (const event of events) {
    const isLabel = way === "title" && event.bucket === STOPWATCH_BUCKET;
    const value = event.data[isLabel ? "label" : way];
    const key = way === "day" ? dayAt(Date.parse(event.timestamp), calendar) : keyOf(value);
    if (!known.has(key)) yield { key, isLabel };
    known.add(key);
    // The server would go on to count the others.
    if (++looked >= MOST_FIRST) return;
  }
}

/** As the server groups (docs/search.md#answers). */
function keyOf(value: unknown): string | null {
  return value === undefined ? null : folded(typeof value === "string" ? value : JSON.stringify(value));
}
