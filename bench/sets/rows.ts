// Rows on large folders: whether ten years are slower than 50 days, memory, and room on the disk.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Outgoing } from "../client/connection.js";
import { beat, get, post, setTime } from "../client/request.js";
import { type RunSettings, type Side, temporaryFolder } from "../contest.js";
import { MICROS_PER_DAY, seededRandom } from "../data.js";
import { amount, type Measurement, type Result, resultOf } from "../measure.js";
import { command, floor, Server } from "../process.js";
import { desktopProgram, QUERY_PATH, unseen, WINDOW_BUCKET } from "../programs.js";
import { type Row, start } from "../rows.js";
import { readAll } from "./readings.js";
import { copySet, filledSet } from "./sets.js";
import { dayOf, isoOf, SETS, type SetName } from "./watchers.js";

const [LARGE, SMALL] = ["10m", "100k"] as const;
const STORED = ["200k", "10m"] as const;
/** After the first response, in which time a server finishes its start. */
const IDLE_MILLIS = 3000;
const READERS = 4;
const program = desktopProgram(false);

let beatSeconds = 1_750_000_000;
/** No program is sent twice. */
let asked = 0;

/** The set of ten years against the one of 50 days, whose events are the last ones of the large set. */
export const FLAT_ROWS: readonly Row[] = [
  flat("day", "any day of all", (port, set) => readDays(port, set, SETS[set].days)),
  flat("recent-day", "one of the last 50 days", (port, set) => readDays(port, set, SETS[SMALL].days)),
  flat("latest", "newest 100", (port) => () => get(port, `/api/0/buckets/${WINDOW_BUCKET}/events?limit=100`)),
  flat("merge", "heartbeat, merge", (port) => heartbeats(port, 1)),
  flat("insert", "heartbeat, insert", (port) => heartbeats(port, 512)),
  flat("query", "desktop program, any day of all", (port, set) => queries(port, set, SETS[set].days)),
  flat("recent-query", "desktop program, one of the last 50 days", (port, set) => queries(port, set, SETS[SMALL].days)),
];

export function flatSides(settings: RunSettings): [Side, Side] {
  return [sideOf(LARGE, settings), sideOf(SMALL, settings)];
}

export const START_ROWS: readonly Row[] = STORED.map((set) => start(`start/${set}`, "none"));

/** The command on a copy of a set. */
export function sideOf(set: SetName, settings: RunSettings): Side {
  return { folder: () => copySet(set, temporaryFolder(settings)), program: (folder) => command(folder) };
}

export const OTHER_ROWS: readonly string[] = STORED.flatMap((set) => [
  `memory/idle/${set}`,
  `memory/reads/${set}`,
  `disk/${set}`,
]);

/** Measures memory or the size of a folder. @param quietSeconds time between the reads and the second look */
export async function measureOther(id: string, settings: RunSettings, quietSeconds: number): Promise<Result> {
  const [kind, detail, last] = id.split("/");
  const set = (last ?? detail) as SetName;
  const facts = { id, unit: "MB" };
  if (kind === "disk") {
    const { folder, events, seconds } = await filledSet(set);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).blocks * 512, 0);
    const notes = { "bytes an event": bytes / events, "fill s": seconds };
    return resultOf({ ...facts, what: `data folder of ${events} events` }, [amount(bytes / 1e6, notes)]);
  }
  const folder = await copySet(set, temporaryFolder(settings));
  if (detail === "reads") {
    const measured = await memoryAfterReads(folder, set, settings.seconds, quietSeconds);
    return resultOf({ ...facts, what: "memory after reads of everything" }, [measured]);
  }
  const plain = await idleMemory(Server.start(floor()));
  return resultOf({ ...facts, what: "memory, idle" }, [await idleMemory(Server.start(command(folder)))], [plain]);
}

async function idleMemory(starting: Promise<Server>): Promise<Measurement> {
  const server = await starting;
  await pause(IDLE_MILLIS);
  const { resident, anonymous } = server.memory();
  await server.stop();
  return amount(resident / 1e6, { "anonymous MB": anonymous / 1e6 });
}

async function memoryAfterReads(folder: string, set: SetName, seconds: number, quiet: number): Promise<Measurement> {
  const server = await Server.start(command(folder));
  try {
    await readAll(server.port, { set, clients: READERS, seconds });
    const { resident, anonymous, peak } = server.memory();
    await pause(quiet * 1000);
    return amount(resident / 1e6, {
      "anonymous MB": anonymous / 1e6,
      "peak MB": peak / 1e6,
      "quiet MB": server.memory().resident / 1e6,
      "quiet s": quiet,
    });
  } finally {
    await server.stop();
  }
}

function flat(name: string, what: string, requests: (port: number, set: SetName) => () => Outgoing): Row {
  return {
    id: `flat/${name}`,
    what: `${what}, ${LARGE} against ${SMALL}`,
    unit: "req/s",
    fixture: "none",
    load: ({ port, isOurs }) => ({ connections: 1, next: requests(port, isOurs ? LARGE : SMALL) }),
  };
}

/** Returns random days of the last ones of a set, each with its first and last moment. */
function dayPicker(set: SetName, lastDays: number): () => readonly [start: string, end: string] {
  const random = seededRandom(7);
  return () => {
    const day = dayOf(set, SETS[set].days - 1 - Math.floor(random() * lastDays));
    return [isoOf(day), isoOf(day + MICROS_PER_DAY - 1_000_000)];
  };
}

function readDays(port: number, set: SetName, lastDays: number): () => Outgoing {
  const pick = dayPicker(set, lastDays);
  return () => {
    const [start, end] = pick().map(encodeURIComponent);
    return get(port, `/api/0/buckets/${WINDOW_BUCKET}/events?start=${start}&end=${end}`);
  };
}

function queries(port: number, set: SetName, lastDays: number): () => Outgoing {
  const pick = dayPicker(set, lastDays);
  return () =>
    post(port, QUERY_PATH, JSON.stringify(unseen({ timeperiods: [pick().join("/")], query: program }, asked++)));
}

/** Heartbeats of one watcher with some distinct data in turn, a second apart. */
function heartbeats(port: number, distinct: number): () => Outgoing {
  const requests = Array.from({ length: distinct }, (_, index) =>
    beat(port, WINDOW_BUCKET, JSON.stringify({ app: "Code", title: `main.ts ${index} - activity-server - Code` })),
  );
  let turn = 0;
  return () => {
    const chosen = requests[turn++ % distinct] as (typeof requests)[number];
    setTime(chosen, beatSeconds++);
    return chosen.bytes;
  };
}
