import type { Bench } from "../bench.js";
import { Child } from "../children.js";
import type { Outgoing } from "../client/connection.js";
import { BEAT_TIME, type Beat, beat, get, post, setTime } from "../client/request.js";
import { MICROS_PER_DAY, seededRandom } from "../data.js";
import { QUERY_PATH } from "../query/measure.js";
import { desktopProgram, unseen, WINDOW_BUCKET } from "../query/programs.js";
import { type Entrant, hold } from "../rounds.js";
import { folderOf } from "../scale/sets.js";
import { dayOf, SETS, type SetName } from "../scale/watchers.js";
import { measureHttp } from "../servers.js";

const [LARGE, SMALL] = ["10m", "100k"] as const;
/** Newer than every event of a set. */
const FIRST_BEAT_SECONDS = 1_750_000_000;
const DISTINCT_BEATS = 512;
const program = desktopProgram(false);

/** Makes the requests to one server, one for each call. */
type Requests = (port: number, set: SetName) => () => Outgoing;

interface Question {
  readonly id: string;
  readonly workload: string;
  readonly requests: Requests;
}

const QUESTIONS: readonly Question[] = [
  { id: "day", workload: "any day of all", requests: days(everyDayOf) },
  // The very same events from both.
  { id: "recent-day", workload: "one of the last 50 days", requests: days(() => SETS[SMALL].days) },
  { id: "latest", workload: "latest 100", requests: latest },
  { id: "heartbeat", workload: "heartbeat merge", requests: beats(1) },
  { id: "heartbeat-insert", workload: "heartbeat insert", requests: beats(DISTINCT_BEATS) },
  { id: "query", workload: "desktop program, any day of all", requests: queries(everyDayOf) },
  {
    id: "recent-query",
    workload: "desktop program, one of the last 50 days",
    requests: queries(() => SETS[SMALL].days),
  },
];

/** Whether a server that holds ten years takes longer than one that holds 50 days. The small one is the floor. */
export async function flat(bench: Bench): Promise<void> {
  const wanted = QUESTIONS.filter(({ id }) => bench.wants(`flat/${id}`));
  if (wanted.length === 0) return;
  const servers = new Map<string, { set: SetName; child: Child }>();
  try {
    for (const [name, set] of [["floor", SMALL] as const, ["leveldb", LARGE] as const]) {
      const args = ["leveldb", await folderOf(bench, set)];
      servers.set(name, { set, child: await Child.start({ script: "server.mjs", args, ...profileOf(bench) }) });
    }
    for (const { id, workload, requests } of wanted) {
      const entrants = new Map<string, Entrant>();
      for (const [name, { set, child }] of servers) {
        const next = requests(child.port, set);
        entrants.set(name, () => measureHttp(child, { connections: 1, seconds: bench.seconds, next }));
      }
      const facts = { id: `flat/${id}`, workload: `${workload}, ${LARGE} against ${SMALL}` };
      await hold(bench, { ...facts, via: "http", connections: 1, unit: "req/s", entrants });
    }
  } finally {
    for (const { child } of servers.values()) await child.stop();
  }
}

function profileOf({ profileFolder }: Bench): Pick<Bench, "profileFolder"> {
  return { profileFolder };
}

function everyDayOf(set: SetName): number {
  return SETS[set].days;
}

/** Picks one of the last days of a set at random, and gives its first and last instant. */
function dayPicker(set: SetName, lastDays: number): () => readonly [start: string, end: string] {
  const random = seededRandom(7);
  return () => {
    const day = SETS[set].days - 1 - Math.floor(random() * lastDays);
    const start = dayOf(set, day);
    return [isoOf(start), isoOf(start + MICROS_PER_DAY - 1_000_000)];
  };
}

function isoOf(micros: number): string {
  return `${new Date(micros / 1000).toISOString().slice(0, 19)}+00:00`;
}

function days(lastDays: (set: SetName) => number): Requests {
  return (port, set) => {
    const pick = dayPicker(set, lastDays(set));
    return () => {
      const [start, end] = pick().map(encodeURIComponent);
      return get(port, `/api/0/buckets/${WINDOW_BUCKET}/events?start=${start}&end=${end}`);
    };
  };
}

/** No question is asked twice, or the answer would be ready. */
let asked = 0;

function queries(lastDays: (set: SetName) => number): Requests {
  return (port, set) => {
    const pick = dayPicker(set, lastDays(set));
    return () => {
      const question = { timeperiods: [pick().join("/")], query: program };
      return post(port, QUERY_PATH, JSON.stringify(unseen(question, asked++)));
    };
  };
}

function latest(port: number): () => Outgoing {
  const request = get(port, `/api/0/buckets/${WINDOW_BUCKET}/events?limit=100`);
  return () => request;
}

let beatSeconds = FIRST_BEAT_SECONDS;

/** Beats of one watcher with some distinct data in turn, a second apart. */
function beats(distinct: number): Requests {
  return (port) => {
    const path = `/api/0/buckets/${WINDOW_BUCKET}/heartbeat?pulsetime=60`;
    const requests = Array.from({ length: distinct }, (_, index): Beat => {
      const data = JSON.stringify({ app: "Code", title: `main.ts ${index} - activity-server - Code` });
      return beat(post(port, path, `{"timestamp":"${BEAT_TIME}.500000+00:00","duration":0,"data":${data}}`));
    });
    let turn = 0;
    return () => {
      const chosen = requests[turn++ % distinct] as Beat;
      setTime(chosen, beatSeconds++);
      return chosen.bytes;
    };
  };
}
