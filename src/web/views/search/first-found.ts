// Shows the first results before everything is counted.
import type { ClientSearchEvent, ClientSearchGroup } from "../../../client/index.js";
import { folded } from "../../filter/fold.js";
import { type Calendar, dayAt } from "../../period.js";
import { STOPWATCH_BUCKET } from "../../stopwatch/entries.js";
import { MAX_FIRST, type Way } from "./address.js";

/** A found group; its totals arrive when everything is counted. */
export type FoundGroup = Pick<ClientSearchGroup, "key"> &
  Partial<ClientSearchGroup> & {
    /** Whether the key is a stopwatch label instead of a title. */
    readonly isLabel?: boolean;
  };

/** About one screen. */
const MAX_GROUPS = 24;
/** Maximum delay of the main search in favor of the first results, in milliseconds. */
const AHEAD_MILLIS = 150;

/** A running search for the first rows. */
export interface EarlyResults {
  /** Resolves when they are loaded, or after the maximum delay; `undefined` without a wait. */
  readonly ahead: Promise<void> | undefined;
  /** Number of displayed rows. */
  readonly count: number;
  end(): void;
}

/** Shows the first results until stopped. Ignores failures, which the main search reports. */
export function showFirst<Row>(
  search: (signal: AbortSignal) => AsyncIterable<Row>,
  signal: AbortSignal,
  show: (rows: readonly Row[]) => void,
): EarlyResults {
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
      if (rows.length >= MAX_GROUPS) return;
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

/** The groups of events, each with its first event. */
export async function* groupEvents(
  events: AsyncIterable<ClientSearchEvent>,
  way: Exclude<Way, "events">,
  calendar: Calendar,
): AsyncGenerator<FoundGroup, void, undefined> {
  const known = new Set<string | null>();
  let looked = 0;
  for await (const event of events) {
    const isLabel = way === "title" && event.bucket === STOPWATCH_BUCKET;
    const value = event.data[isLabel ? "label" : way];
    const key = way === "day" ? dayAt(Date.parse(event.timestamp), calendar) : keyOf(value, way === "title");
    if (!known.has(key)) yield { key, isLabel };
    known.add(key);
    // Stops, since the server would continue to count.
    if (++looked >= MAX_FIRST) return;
  }
}

/** The server's grouping key (docs/guides/search.md#results). */
function keyOf(value: unknown, isFolded: boolean): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return isFolded ? folded(text) : text;
}
