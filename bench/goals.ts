import type { Row } from "./bench.js";

/** What a row of LevelDB, or one about PostgreSQL, should reach on a quiet machine with two cores. */
interface Goal {
  /**
   * A number of the row: its `rate`, `ratio %`, `p50 ms` or `p99 ms`; `p99/p50`; `times floor`, which is the time of
   * ours over that of the floor; or a note.
   */
  readonly of: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A goal and what became of it. */
export interface Verdict {
  readonly of: string;
  /** Such as `>= 75`. */
  readonly limit: string;
  readonly value: number;
  readonly met: boolean;
}

const ratio = (atLeast: number): Goal => ({ of: "ratio %", atLeast });
const rate = (atLeast: number): Goal => ({ of: "rate", atLeast });
const most = (of: string, atMost: number): Goal => ({ of, atMost });
const noBlock = (atMost: number): Goal => most("block ms", atMost);
const growth = (atMost: number): Goal => most("growth MB", atMost);

const DAY = [ratio(45), most("p99/p50", 3)];
const FLAT = [most("times floor", 1.5)];
const AFTER_READS = [most("rate", 250), most("quiet MB", 150)];

/** By the beginning of a row's id; the longest one counts. */
const GOALS: Readonly<Record<string, readonly Goal[]>> = {
  "heartbeats/merge/http": [ratio(75)],
  "heartbeats/insert/http": [ratio(65)],
  "heartbeats/buckets/http": [ratio(65)],
  // Of the same beats without a key.
  "keys/merge/http/8": [ratio(97)],
  // Either this or the goal of `bulk/fetch`, on a slower machine.
  "bulk/http": [rate(300_000)],
  "bulk/fetch": [ratio(60)],
  "durability/merge/http/64": [rate(15_000)],
  "durability/insert/http/64": [rate(15_000)],
  "latest/1/http": [ratio(70)],
  "latest/100/http": [ratio(60)],
  "latest/1000/http": [ratio(50)],
  "day/http": DAY,
  "export/http": [rate(120), noBlock(10), growth(50)],
  "export/slow": [noBlock(10), growth(50)],
  "import/http": [rate(150_000), noBlock(20), growth(100)],
  "query/beats": [most("p99 ms", 10)],
  "start/launcher/200k": [most("p50 ms", 200), most("times node -e 0", 2.5)],
  "start/launcher/10m": [most("p50 ms", 400)],
  "memory/idle/200k": [most("rate", 80)],
  "memory/idle/10m": [most("rate", 120)],
  "memory/reads": AFTER_READS,
  flat: FLAT,
  "disk/10m": [most("rate", 400)],
  "postgres/merge": [ratio(60)],
  "postgres/insert": [ratio(60)],
  "postgres/month/cold": [most("times floor", 3)],
  "postgres/month/warm": [most("times floor", 1.1)],
  "postgres/export": [growth(80), most("times for 1 M", 1.5)],
  "postgres/nodes": [ratio(100), most("lost", 0), most("doubled", 0)],
};

/** The goals of a row and whether it reaches them. None for storages that are only there to be compared. */
export function judge(row: Row): Verdict[] {
  if (row.storage !== "leveldb" && row.storage !== "postgres") return [];
  return goalsOf(row.id).map(({ of, atLeast, atMost }) => {
    const value = numberOf(row, of);
    const limit = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`;
    const met = value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
    return { of, limit, value, met };
  });
}

function goalsOf(id: string): readonly Goal[] {
  const parts = id.split("/");
  for (let count = parts.length; count > 0; count--) {
    const goals = GOALS[parts.slice(0, count).join("/")];
    if (goals !== undefined) return goals;
  }
  return [];
}

/** NaN for what the row does not have, which reaches no goal. */
function numberOf({ ours, floor, ratio }: Row, name: string): number {
  switch (name) {
    case "rate":
      return ours.rate;
    case "ratio %":
      return ratio ?? Number.NaN;
    case "p50 ms":
      return ours.p50Millis;
    case "p99 ms":
      return ours.p99Millis;
    case "p99/p50":
      return ours.p99Millis / ours.p50Millis;
    case "times floor":
      return ours.p50Millis / (floor?.p50Millis ?? Number.NaN);
    default:
      return ours.notes?.[name] ?? Number.NaN;
  }
}
