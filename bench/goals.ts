import type { Result } from "./measure.js";

/** A limit for a row on a quiet machine with two cores. */
interface Goal {
  /** `rate`, `ratio %`, `p50 ms`, `p99 ms`, `p99/p50`, `times floor` (our p50 divided by the floor's), or a note. */
  readonly of: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A goal and its result. */
export interface Verdict {
  readonly of: string;
  /** Such as `>= 75`. */
  readonly limit: string;
  readonly value: number;
  readonly met: boolean;
}

const least = (of: string, atLeast: number): Goal => ({ of, atLeast });
const most = (of: string, atMost: number): Goal => ({ of, atMost });

/** By the start of a row's ID. The longest one applies. */
const GOALS: Readonly<Record<string, readonly Goal[]>> = {
  "heartbeats/merge": [least("ratio %", 75)],
  "heartbeats/insert": [least("ratio %", 65)],
  "heartbeats/buckets": [least("ratio %", 65)],
  watchers: [most("p99 ms", 10)],
  bulk: [least("rate", 300_000), most("p99/p50", 2)],
  import: [least("rate", 150_000), most("block ms", 20), most("growth MB", 100)],
  "latest/1": [least("ratio %", 70)],
  "latest/100": [least("ratio %", 60)],
  "latest/1000": [least("ratio %", 50)],
  day: [least("ratio %", 45), most("p99/p50", 3)],
  export: [least("rate", 120), most("block ms", 10), most("growth MB", 50)],
  "query/day/cold": [most("p50 ms", 30)],
  "query/day/warm": [most("p50 ms", 8)],
  "query/month/cold": [most("p50 ms", 400)],
  "query/month/warm": [most("p50 ms", 100)],
  "query/month/again": [most("p50 ms", 4)],
  "query/browser-month/cold": [most("p50 ms", 700)],
  "query/browser-month/warm": [most("p50 ms", 180)],
  "query/categories/cold": [most("p50 ms", 400)],
  "query/categories/warm": [most("p50 ms", 80)],
  "durability/merge/64": [least("rate", 15_000)],
  "durability/insert/64": [least("rate", 15_000)],
  "postgres/merge": [least("ratio %", 60)],
  "postgres/insert": [least("ratio %", 60)],
  "postgres/query/month/cold": [most("times floor", 3)],
  "postgres/query/month/warm": [most("times floor", 1.1)],
  flat: [most("times floor", 1.5)],
  "start/200k": [most("p50 ms", 200), most("times node", 2.5)],
  "start/10m": [most("p50 ms", 400)],
  "memory/idle/200k": [most("rate", 80)],
  "memory/idle/10m": [most("rate", 120)],
  "memory/reads/200k": [most("rate", 150), most("quiet MB", 150)],
  "memory/reads/10m": [most("rate", 250), most("quiet MB", 150)],
  "disk/10m": [most("rate", 400)],
};

/** Why a row may miss its goal, by the start of its ID. Write one for each row that misses one. */
const REASONS: Readonly<Record<string, string>> = {
  heartbeats: "our server checks access and validates each event, and writes it to the log; the floor writes nothing",
  "heartbeats/merge/1":
    "a lone heartbeat waits for one more turn of the event loop, which gathers heartbeats that arrive together",
  "heartbeats/insert": "each new event is a line of the log, and the floor writes nothing; p99 is a flush to segments",
  watchers: "slices of queries last 2 ms, and nothing can interrupt garbage collection",
  bulk: "most of the time is garbage collection, encoding of segments, serializing data, and parsing, in this order",
  import: "as for bulk",
  latest: "our server finds the route, checks access and reads the parameters; the floor sends prepared bytes",
  day: "two fifths are writes to the socket, as in the floor; the rest is the search of segments and cutting edges",
  export: "garbage collection, which nothing can interrupt",
  query: "a new program reads each event of its period, in slices that let other requests in between",
  "query/day/cold": "a new process matches 28 patterns with each distinct title, in code that V8 has not compiled yet",
  "query/month/cold": "a new process decodes all segments of the month with code that V8 has not optimized yet",
  "query/browser-month/cold": "as for query/month/cold, and a third of the events more",
  "query/categories/cold": "as for query/month/cold",
  durability: "the disk: a response waits for an fsync, which all requests of that moment share",
  postgres: "a heartbeat also locks its bucket and checks the newest event, which the floor does not",
  "postgres/query": "rows arrive over a socket and are decoded from rows; the floor reads columns",
  flat: "the caches hold the days of the small set; a day of the large one is found at once, but read and serialized anew",
  start: "Node loads and compiles the code of the command",
  "memory/idle": "the index of segments grows with the number of events",
  "memory/reads": "V8 and glibc return freed memory late; caches stay within the memory budget",
  disk: "LevelDB keeps replaced values until it compacts their level",
};

function byStart<T>(table: Readonly<Record<string, T>>, id: string): T | undefined {
  const parts = id.split("/");
  return parts.map((_, at) => table[parts.slice(0, parts.length - at).join("/")]).find((found) => found !== undefined);
}

/** Why a row misses a goal; `undefined` if it meets all of them. */
export function reasonOf(result: Result): string | undefined {
  if (judge(result).every(({ met }) => met)) return undefined;
  return byStart(REASONS, result.id) ?? "NO REASON YET: bench/goals.ts";
}

/** The goals of a row, and whether it meets them. */
export function judge(result: Result): Verdict[] {
  const goals = byStart(GOALS, result.id) ?? [];
  return goals.map(({ of, atLeast, atMost }) => {
    const value = numberOf(result, of);
    const met = value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
    return { of, limit: atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`, value, met };
  });
}

/** NaN for numbers that the row does not have. NaN meets no goal. */
function numberOf({ ours, other, ratio = Number.NaN }: Result, name: string): number {
  if (name === "rate") return ours.rate;
  if (name === "ratio %") return 100 * ratio;
  if (name === "p50 ms") return ours.p50Millis;
  if (name === "p99 ms") return ours.p99Millis;
  if (name === "p99/p50") return ours.p99Millis / ours.p50Millis;
  if (name === "times floor") return ours.p50Millis / (other?.p50Millis ?? Number.NaN);
  return ours.notes?.[name] ?? Number.NaN;
}
