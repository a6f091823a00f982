// What the buckets of a report contribute, and when their watchers were silent.
import type { DomainOf } from "../api/codec.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import type { Steps } from "../transforms/steps.js";
import { sumDurations } from "../transforms/sum.js";
import type { Covered } from "./activity.js";
import { joinedWithin } from "./cover.js";
import { stretchAt } from "./part.js";

type ReportCoverage = DomainOf<"ReportCoverage">;

/** Shorter silence is normal: watchers miss a moment at each change. */
const SHORTEST_MICROS: Micros = 300_000_000;
/** Reports between silent ranges that do not separate them. */
const JOINED_MICROS: Micros = 60_000_000;
/** Most ranges of one bucket. */
const MOST_RANGES = 100;

export function* coverageOf(host: string, { id, kind, events, silent, unmatched }: Covered): Steps<ReportCoverage> {
  const isAny = events.length > 0;
  return {
    ...{ bucket: id, host, kind },
    seconds: microsToSeconds(yield* sumDurations(events)),
    first: isAny ? (events.timestamps[0] as number) : null,
    last: isAny ? events.endAt(events.length - 1) : null,
    silent: silent === undefined ? [] : yield* rangesOf(silent),
    unmatched: microsToSeconds(unmatched),
  };
}

/** The longest silent ranges, in the order of time. */
function* rangesOf(silent: NonNullable<Covered["silent"]>): Steps<ReportCoverage["silent"]> {
  const joined = yield* joinedWithin(silent, JOINED_MICROS);
  const long = Array.from(joined.durations, (_, at) => at).filter(
    (at) => (joined.durations[at] as number) >= SHORTEST_MICROS,
  );
  return long
    .sort((a, b) => (joined.durations[b] as number) - (joined.durations[a] as number))
    .slice(0, MOST_RANGES)
    .sort((a, b) => a - b)
    .map((at) => stretchAt(joined, at));
}
