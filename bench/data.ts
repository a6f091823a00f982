import { microsToSeconds, serializeTimestamp } from "../src/domain/time.js";

/** An event of the generator: what a watcher would have sent. */
export interface SampleEvent<Data extends object = Readonly<Record<string, string>>> {
  /** Microseconds since 1970-01-01 UTC. */
  readonly timestamp: number;
  /** Microseconds. */
  readonly duration: number;
  readonly data: Data;
}

/** How much to generate. The same options always give the same events. */
export interface SampleOptions {
  /** @default 100 */
  readonly days?: number;
  /** Window events a day. @default 2000 */
  readonly windowPerDay?: number;
  /** Idle events a day. @default 200 */
  readonly idlePerDay?: number;
  /** Distinct titles of window events. @default 4000 */
  readonly titles?: number;
  /** Its beginning, in microseconds since 1970-01-01 UTC. @default `FIRST_DAY` */
  readonly firstDay?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface Sample {
  /** Both ascend by time. */
  readonly window: readonly SampleEvent[];
  readonly idle: readonly SampleEvent[];
  /** Distinct window data, the most frequent first. */
  readonly distinct: readonly SampleEvent["data"][];
}

/** 2024-01-01T00:00:00Z. */
export const FIRST_DAY = 1_704_067_200_000_000;
export const MICROS_PER_DAY = 86_400_000_000;
const WORK_STARTS = 7 * 3_600_000_000;
const WORK_LASTS = 14 * 3_600_000_000;

/** Days of work seen by a window watcher and an idle watcher. */
export function sample(options: SampleOptions = {}): Sample {
  const { days = 100, windowPerDay = 2000, idlePerDay = 200, titles = 4000, firstDay = FIRST_DAY, seed = 1 } = options;
  const random = seededRandom(seed);
  const distinct = distinctData(titles, random);
  const next = titlePicker(distinct.length, random);
  const window: SampleEvent[] = [];
  const idle: SampleEvent[] = [];
  for (let day = 0; day < days; day++) {
    const start = firstDay + day * MICROS_PER_DAY + WORK_STARTS;
    const windowData = (): SampleEvent["data"] => distinct[next()] as SampleEvent["data"];
    window.push(...spans({ start, count: windowPerDay, random, data: windowData }));
    let away = true;
    const idleData = (): SampleEvent["data"] => {
      away = !away;
      return { status: away ? "afk" : "not-afk" };
    };
    idle.push(...spans({ start, count: idlePerDay, random, data: idleData }));
  }
  return { window, idle, distinct };
}

/** The JSON of an event as it travels over HTTP. */
export function wireJson(event: SampleEvent<object>): string {
  const timestamp = serializeTimestamp(event.timestamp);
  return `{"timestamp":"${timestamp}","duration":${microsToSeconds(event.duration)},"data":${JSON.stringify(event.data)}}`;
}

/** Numbers from 0 (included) to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface SpanOptions {
  readonly start: number;
  readonly count: number;
  readonly random: () => number;
  readonly data: () => SampleEvent["data"];
}

/** Spans that follow each other, many short and few long, and together last a working day. */
function spans({ start, count, random, data }: SpanOptions): SampleEvent[] {
  const lengths = Array.from({ length: count }, () => -Math.log(1 - random()) + 0.01);
  const scale = WORK_LASTS / lengths.reduce((sum, length) => sum + length, 0);
  let timestamp = start;
  return lengths.map((length) => {
    const duration = Math.floor(length * scale);
    const event = { timestamp, duration, data: data() };
    timestamp += duration;
    return event;
  });
}

const APPS = ["Firefox", "Code", "Terminal", "Slack", "Mail", "LibreOffice Writer", "Files", "Zoom", "Gimp", "Spotify"];
const SUBJECTS = [
  "invoice",
  "review",
  "storage layout",
  "weekly plan",
  "Größenvergleich",
  "notes",
  "#general",
  "pull request",
];
const PLACES = [
  "activity-server",
  "Inbox (3 unread)",
  'the "quick" draft',
  "localhost:5600",
  "~/projects/site",
  "2024 budget",
];

function distinctData(count: number, random: () => number): SampleEvent["data"][] {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] as string;
  return Array.from({ length: count }, (_, index) => {
    const app = pick(APPS);
    return { app, title: `${pick(SUBJECTS)} ${index} - ${pick(PLACES)} - ${app}` };
  });
}

/**
 * Draws ranks: the k-th title comes with weight 1/k, and half of the time one of the last eight returns, as people
 * switch to and fro.
 */
function titlePicker(count: number, random: () => number): () => number {
  const ends: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= count; rank++) {
    total += 1 / rank;
    ends.push(total);
  }
  const recent: number[] = [];
  let last = -1;
  const draw = (): number => {
    if (recent.length > 1 && random() < 0.5) return recent[Math.floor(random() * recent.length)] as number;
    const wanted = random() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    recent.push(low);
    if (recent.length > 8) recent.shift();
    return low;
  };
  // A watcher reports a new event only when something changed.
  return () => {
    let rank = draw();
    for (let tries = 0; rank === last && tries < 8; tries++) rank = draw();
    last = rank;
    return rank;
  };
}

/** An export of one bucket, newest event first, and where its key ends: three digits that an import may change. */
export function exportFile(events: readonly SampleEvent[]): { file: Buffer; keyAt: number } {
  const key = "bench-import-000";
  const head = `{"buckets":{"${key}":{"type":"currentwindow","client":"bench","hostname":"bench","events":[`;
  const file = Buffer.from(`${head}${events.toReversed().map(wireJson).join(",")}]}}}`);
  return { file, keyAt: head.indexOf(key) + key.length - 3 };
}

/** The bodies of inserts of many events each. */
export function insertBodies(events: readonly SampleEvent<object>[], eventsPerBody: number): Buffer[] {
  return Array.from({ length: Math.ceil(events.length / eventsPerBody) }, (_, index) => {
    const slice = events.slice(index * eventsPerBody, (index + 1) * eventsPerBody);
    return Buffer.from(`[${slice.map(wireJson).join(",")}]`);
  });
}
