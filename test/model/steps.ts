import type { EventDraft } from "../../src/domain/event.js";
import { intOf, randomOf } from "../contract/case.js";

/** A list of events, described in a few numbers, so that a failing list can be made smaller. Times in seconds. */
export interface EventList {
  /** Start of the first event, in seconds after `BASE`. */
  readonly at: number;
  /** From one start to the next. */
  readonly gap: number;
  readonly length: number;
  readonly count: number;
  readonly order: "ascending" | "descending" | "shuffled";
  /** Chooses the data, and the order of a shuffled list. */
  readonly seed: number;
}

/** Some events of a bucket by their places in time order: `part` (0 to 1) of the way, then every `stride`-th. */
export interface Selection {
  readonly part: number;
  readonly count: number;
  readonly stride: number;
}

/** One step of a play. It means something whatever the steps before it have left, so any of them can be left out. */
export type Step =
  | { readonly do: "insert"; readonly bucket: string; readonly list: EventList }
  | { readonly do: "replace"; readonly bucket: string; readonly events: Selection; readonly move: number }
  | { readonly do: "delete"; readonly bucket: string; readonly events: Selection }
  | { readonly do: "deleteRange"; readonly bucket: string; readonly at: number; readonly length: number }
  | {
      readonly do: "beat";
      readonly bucket: string;
      readonly list: EventList;
      readonly pulse: number;
      readonly atOnce: boolean;
    }
  | { readonly do: "import"; readonly bucket: string; readonly list: EventList; readonly known: Selection }
  | { readonly do: "merge"; readonly bucket: string; readonly from: string }
  | { readonly do: "drop"; readonly bucket: string }
  | { readonly do: "read"; readonly bucket: string; readonly range: Range }
  | { readonly do: "compare" }
  | { readonly do: "wait"; readonly turns: number }
  | { readonly do: "restart"; readonly kill: boolean };

/** What to read. Times in seconds after `BASE`. */
export interface Range {
  /** A place in the list of events: the range begins where this one ends. In place of `start`. */
  readonly after?: number;
  readonly start?: number;
  readonly end?: number;
  readonly limit?: number;
  readonly offset?: number;
}

/** The buckets of a play. */
export const BUCKETS: readonly string[] = ["window", "afk"];
/** 2023-11-14, in microseconds. */
export const BASE: number = 1_700_000_000_000_000;
const SECOND = 1_000_000;
/** Events lie within this many seconds, so that lists often meet. */
const SPAN = 100_000;

/** @returns microseconds */
export function timeOf(seconds: number): number {
  return BASE + Math.round(seconds * SECOND);
}

/** The events that a list describes, in the order in which they are sent. */
export function draftsOf({ at, gap, length, count, order, seed }: EventList): EventDraft[] {
  const random = randomOf(seed);
  const drafts = Array.from(
    { length: count },
    (_, index): EventDraft => ({
      timestamp: timeOf(at + index * gap),
      duration: Math.round(length * SECOND),
      data: { label: intOf(random, 1, 3), list: seed },
    }),
  );
  if (order === "descending") drafts.reverse();
  if (order === "shuffled") {
    for (let index = drafts.length - 1; index > 0; index--) {
      const other = intOf(random, 0, index);
      [drafts[index], drafts[other]] = [drafts[other] as EventDraft, drafts[index] as EventDraft];
    }
  }
  return drafts;
}

/** The chosen ones of a list in time order. */
export function selected<T>(events: readonly T[], { part, count, stride }: Selection): T[] {
  const first = Math.floor(part * events.length);
  return events.filter((_, index) => index >= first && (index - first) % stride === 0).slice(0, count);
}

/** What can happen to a server. */
export interface Means {
  readonly canRestart?: boolean;
  readonly canKill?: boolean;
}

/** A play: random steps that a seed repeats. */
export function stepsOf(seed: number, count: number, means: Means = {}): Step[] {
  const { canRestart = true, canKill = false } = means;
  const random = randomOf(seed);
  const whole = (low: number, high: number): number => intOf(random, low, high);
  /** Mostly small, sometimes large. */
  const size = (most: number): number => Math.max(1, Math.floor(most * random() ** 3));
  const part = (): number => Math.round(random() * 100) / 100;
  let now = whole(1_000, SPAN / 2);

  /** Late or new, sparse or dense. */
  function list(most: number): EventList {
    const isLate = random() < 0.6;
    const gap = [0, 0.001, 0.5, 1, 20][whole(0, 4)] as number;
    const length = [0, 0, 0.0005, 1, 5, 300, 20_000][whole(0, 6)] as number;
    // As many as one of the sizes at which a storage changes its way, or any number.
    const many = random() < 0.5 ? (whole(1, 6) * most) / 6 : size(most);
    const events: EventList = {
      ...{ at: isLate ? whole(0, SPAN) : now, gap, length, count: Math.max(1, Math.floor(many)) },
      order: (["ascending", "ascending", "descending", "shuffled"] as const)[whole(0, 3)] ?? "ascending",
      seed: whole(1, 1_000_000),
    };
    if (!isLate) now += Math.ceil(events.gap * events.count) + whole(0, 100);
    return events;
  }

  const events = (most: number): Selection => ({ part: part(), count: size(most), stride: whole(1, 5) });
  /** A few events here and there, or nearly all of a segment. */
  const replaced = (): Selection =>
    random() < 0.3 ? { part: part(), count: whole(200, 1_500), stride: 1 } : events(400);

  function range(): Range {
    const start = whole(-100, SPAN);
    const limit = random() < 0.5 ? { limit: whole(0, random() < 0.5 ? 5 : 3_000) } : {};
    if (random() < 0.3) return { after: part(), ...limit };
    return {
      ...(random() < 0.8 ? { start } : {}),
      ...(random() < 0.8 ? { end: start + (random() < 0.5 ? size(200) : size(SPAN)) } : {}),
      ...limit,
      ...(random() < 0.2 ? { offset: whole(0, 500) } : {}),
    };
  }

  const kinds: readonly [share: number, make: (bucket: string) => Step][] = [
    [26, (bucket) => ({ do: "insert", bucket, list: list(1_500) })],
    [6, (bucket) => ({ do: "replace", bucket, events: replaced(), move: random() < 0.3 ? 0 : whole(-SPAN, SPAN) })],
    [6, (bucket) => ({ do: "delete", bucket, events: events(20) })],
    [3, (bucket) => ({ do: "deleteRange", bucket, at: whole(0, SPAN), length: size(SPAN / 4) })],
    [
      14,
      (bucket) => ({
        ...{ do: "beat", bucket, list: { ...list(60), order: "ascending" } },
        ...{ pulse: [0, 1, 5, 60][whole(0, 3)] as number, atOnce: random() < 0.5 },
      }),
    ],
    [4, (bucket) => ({ do: "import", bucket, list: list(1_500), known: events(200) })],
    [1, (bucket) => ({ do: "merge", bucket, from: BUCKETS.find((other) => other !== bucket) as string })],
    [0.5, (bucket) => ({ do: "drop", bucket })],
    [30, (bucket) => ({ do: "read", bucket, range: range() })],
    [2, () => ({ do: "compare" })],
    [12, () => ({ do: "wait", turns: size(40) })],
    [canRestart ? 3 : 0, () => ({ do: "restart", kill: random() < 0.7 && canKill })],
  ];
  const shares = kinds.reduce((sum, [share]) => sum + share, 0);
  const steps = Array.from({ length: count }, (): Step => {
    let left = random() * shares;
    const bucket = random() < 0.8 ? "window" : "afk";
    for (const [share, make] of kinds) {
      left -= share;
      if (left < 0) return make(bucket);
    }
    return { do: "compare" };
  });
  return [...steps, { do: "compare" }];
}
