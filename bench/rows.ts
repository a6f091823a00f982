// The rows over HTTP. Each needs only the API of ActivityWatch, so that it measures this build, another checkout, another
// server or a floor in the same way.
import { Connection, type Outgoing } from "./client/connection.js";
import { call, createBucket, type HttpLoad, type LoadedServer } from "./client/load.js";
import { type Beat, beat, get, post, postHead, setTime } from "./client/request.js";
import { exportFile, FIRST_DAY, insertBodies, MICROS_PER_DAY, type Sample, seededRandom } from "./data.js";
import { BEAT_BUCKETS, BUCKET, beatBucket, EVENTS, type FixtureName } from "./fixtures.js";
import { type Measurement, once } from "./measure.js";
import { measurePaced, type Pressure } from "./paced.js";
import { nodeMillis, type Server } from "./process.js";
import {
  categoryProgram,
  DAYS,
  desktopProgram,
  MONTH,
  ONE_DAY,
  QUERY_PATH,
  type Question,
  unseen,
} from "./programs.js";

/** The server of a load. */
export interface Target {
  readonly port: number;
  readonly sample: Sample;
  /** Whether it is the side that the row is about. */
  readonly isOurs: boolean;
}

/** Something to measure. Higher rates are better, except for megabytes. */
export interface Row {
  readonly id: string;
  /** One request, in words. */
  readonly what: string;
  readonly unit: string;
  readonly fixture: FixtureName;
  /** Prepares a server, beyond its fixture. */
  prepare?(port: number): Promise<void>;
  /** The requests. A length of 0 sends one request. */
  load?(target: Target): HttpLoad & { readonly isSingle?: boolean };
  /** Measures once what is not a load. */
  measure?(server: LoadedServer, seconds: number): Promise<Measurement>;
  /** Measures a start, or the first response after one. */
  measureStart?(server: Server): Promise<Measurement>;
  /** The floor's responses, by URL; `""` is for every other URL. Rows without them have no floor. */
  answers?(target: Target): Promise<ReadonlyMap<string, Buffer>>;
  /** Whether it is measured only if it is named. @default false */
  readonly onDemand?: boolean;
}

/** Newer than all stored events. */
let beatSeconds = 1_750_000_000;
/** Distinct heartbeats of `insert`, over all connections. */
const INSERTS = 2048;
/** Buckets that a connection of `bulk` fills one after another, with the whole sample each. */
const BULK_BUCKETS = 100;
const DAYS_OF_SAMPLE = 100;

type Kind = "merge" | "insert" | "buckets" | "mixed";

export const ROWS: readonly Row[] = [
  ...(["merge", "insert", "buckets"] as const).flatMap((kind) => [1, 8, 64].map((count) => beats(kind, count))),
  beats("mixed", 8),
  paced("nothing", "empty"),
  bulk(1),
  bulk(8),
  importRow(),
  reads("latest/1/1", [latestPath(1)], 1),
  ...[1, 100, 1000].map((limit) => reads(`latest/${limit}/8`, [latestPath(limit)], 8)),
  ...[1, 8].map((count) => reads(`day/${count}`, dayPaths(), count)),
  exportRow(),
  start("start/window", "window"),
  query("query/day/warm", "day", { timeperiods: ONE_DAY, query: desktopProgram(false) }),
  query("query/month/warm", "month", { timeperiods: MONTH, query: desktopProgram(false) }),
  query("query/browser-month/warm", "month", { timeperiods: MONTH, query: desktopProgram(true) }),
  query("query/categories/warm", "month", { timeperiods: DAYS, query: categoryProgram() }),
  query("query/month/again", "month", { timeperiods: MONTH, query: desktopProgram(false) }, false),
  coldQuery("query/day/cold", { timeperiods: ONE_DAY, query: desktopProgram(false) }),
  coldQuery("query/month/cold", { timeperiods: MONTH, query: desktopProgram(false) }),
  coldQuery("query/browser-month/cold", { timeperiods: MONTH, query: desktopProgram(true) }),
  coldQuery("query/categories/cold", { timeperiods: DAYS, query: categoryProgram() }),
  paced("months", "month"),
  paced("days-and-months", "month"),
  paced("hostile", "month"),
  { ...start("start/decade", "decade"), onDemand: true },
];

/** Whether a name of the command line means a row: its id, or the start of it. */
export function isMeant(names: readonly string[], id: string): boolean {
  return names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * - `merge`: each connection is a watcher with its own bucket that keeps reporting the same;
 * - `insert`: the same, but each heartbeat has other data than the one before;
 * - `mixed`: one in five has other data;
 * - `buckets`: heartbeats that merge, to 100 buckets in turn.
 */
function beats(kind: Kind, connections: number): Row {
  return {
    id: `heartbeats/${kind}/${connections}`,
    what: `heartbeat, ${kind}`,
    unit: "req/s",
    fixture: "empty",
    load: ({ port, sample }) => ({ connections, next: beatRequests(port, sample, kind, connections) }),
    async answers({ port, sample }) {
      const { bytes } = beat(port, beatBucket(0), JSON.stringify(sample.distinct[0]));
      const body = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4).toString();
      return new Map([["", await call(port, `/api/0/buckets/${beatBucket(0)}/heartbeat?pulsetime=60`, body)]]);
    },
  };
}

function beatRequests(port: number, sample: Sample, kind: Kind, connections: number): (connection: number) => Buffer {
  const perConnection = { merge: 1, buckets: BEAT_BUCKETS, insert: Math.ceil(INSERTS / connections), mixed: 256 }[kind];
  const repeat = kind === "mixed" ? 5 : 1;
  const build = (bucket: number, rank: number): Beat =>
    beat(port, beatBucket(bucket), JSON.stringify(sample.distinct[rank]));
  const prepared = Array.from({ length: connections }, (_, connection) =>
    Array.from({ length: perConnection }, (_, index) =>
      kind === "buckets" ? build(index, index) : build(connection, connection * perConnection + index),
    ),
  );
  // A second passes when all buckets had a turn, so that the heartbeats of each stay within the pulsetime.
  const step = 1 / (kind === "buckets" ? BEAT_BUCKETS : connections);
  const turns = new Array<number>(connections).fill(0);
  let turn = 0;
  return (connection) => {
    const own = prepared[connection] as Beat[];
    const index = kind === "buckets" ? turn++ : (turns[connection] as number);
    turns[connection] = index + 1;
    const chosen = own[Math.floor(index / repeat) % perConnection] as Beat;
    beatSeconds += step;
    setTime(chosen, Math.floor(beatSeconds));
    return chosen.bytes;
  };
}

function bulk(connections: number): Row {
  const prefix = `bench-bulk-${connections}-`;
  return {
    id: `bulk/${connections}`,
    what: "insert of 1,000 events",
    unit: "events/s",
    fixture: "empty",
    // Created before, so that no measurement includes it.
    async prepare(port) {
      for (let at = 0; at < connections * BULK_BUCKETS; at++) await createBucket(port, prefix + at);
    },
    load({ port, sample }) {
      const bodies = insertBodies(sample.window, EVENTS);
      const turns = new Array<number>(connections).fill(0);
      const next = (connection: number): Outgoing => {
        const turn = turns[connection] as number;
        turns[connection] = turn + 1;
        const body = bodies[turn % bodies.length] as Buffer;
        const bucket = connection * BULK_BUCKETS + (Math.floor(turn / bodies.length) % BULK_BUCKETS);
        return [postHead(port, `/api/0/buckets/${prefix}${bucket}/events`, body.length), body];
      };
      return { connections, unitsPerRequest: EVENTS, next };
    },
    async answers({ port, sample }) {
      await createBucket(port, "bench-example");
      const [body] = insertBodies(sample.window.slice(0, EVENTS), EVENTS);
      return new Map([["", await call(port, "/api/0/buckets/bench-example/events", String(body))]]);
    },
  };
}

/** The export of 200,000 events, into another bucket each time: a second import of a bucket adds nothing. */
function importRow(): Row {
  let imports = 0;
  return {
    id: "import/1",
    what: "import of 200,000 events",
    unit: "events/s",
    fixture: "empty",
    load({ port, sample }) {
      const { file, keyAt } = exportFile(sample.window);
      const head = postHead(port, "/api/0/import", file.length);
      const next = (): Outgoing => {
        file.write(String(imports++).padStart(3, "0"), keyAt, "latin1");
        return [head, file];
      };
      return { connections: 1, unitsPerRequest: sample.window.length, isSingle: true, watch: true, next };
    },
    answers: async () => new Map(),
  };
}

/** Reads of the bucket of 200,000 events, each of a random path. */
function reads(id: string, paths: readonly string[], connections: number): Row {
  return {
    id,
    what: id.startsWith("day") ? "a random day (2,000 events)" : `newest events: ${id.split("/")[1]}`,
    unit: "req/s",
    fixture: "window",
    load({ port }) {
      const requests = paths.map((path) => get(port, path));
      const random = seededRandom(7);
      return { connections, next: () => requests[Math.floor(random() * requests.length)] as Buffer };
    },
    async answers({ port }) {
      const answers = new Map<string, Buffer>();
      for (const path of paths) answers.set(path, await call(port, path));
      return answers;
    },
  };
}

function latestPath(limit: number): string {
  return `/api/0/buckets/${BUCKET}/events?limit=${limit}`;
}

function dayPaths(): string[] {
  return Array.from({ length: DAYS_OF_SAMPLE }, (_, index) => {
    const date = new Date((FIRST_DAY + index * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
    return `/api/0/buckets/${BUCKET}/events?start=${date}T00:00:00%2B00:00&end=${date}T23:59:59.999999%2B00:00`;
  });
}

function exportRow(): Row {
  const row = reads("export/1", [`/api/0/buckets/${BUCKET}/export`], 1);
  const load = (target: Target): HttpLoad => ({ ...(row.load?.(target) as HttpLoad), byBytes: true, watch: true });
  return { ...row, what: "export of 200,000 events (28 MB)", unit: "MB/s", load };
}

/** A start, from the decision to the last byte of the list of buckets. */
export function start(id: string, fixture: FixtureName): Row {
  return {
    id,
    what: "start of the command",
    unit: "starts/s",
    fixture,
    async measureStart(server) {
      const bare = await nodeMillis();
      const measured = await server.restart();
      return { ...measured, notes: { "node ms": bare, "times node": measured.p50Millis / bare } };
    },
    answers: async () => new Map(),
  };
}

/** @param isFresh whether the server never gets the same program twice */
function query(id: string, fixture: FixtureName, question: Question, isFresh = true): Row {
  return {
    id,
    what: whatOf(question, isFresh ? "new program" : "same program"),
    unit: "req/s",
    fixture,
    load({ port }) {
      let number = 0;
      const next = (): Buffer =>
        post(port, QUERY_PATH, JSON.stringify(isFresh ? unseen(question, number++) : question));
      return { connections: 1, next };
    },
    answers: async ({ port }) => new Map([["", await call(port, QUERY_PATH, JSON.stringify(question))]]),
  };
}

/** The first response of a process that has just started. */
function coldQuery(id: string, question: Question): Row {
  return {
    id,
    what: whatOf(question, "after a start"),
    unit: "req/s",
    fixture: "month",
    async measureStart(server) {
      await server.restart();
      const request = post(server.port, QUERY_PATH, JSON.stringify(question));
      const connection = await Connection.open(server.port);
      const before = server.cpu();
      const started = performance.now();
      await connection.exchange(request).finally(() => connection.close());
      return once(performance.now() - started, server.cpu() - before);
    },
  };
}

function whatOf({ timeperiods, query: program }: Question, how: string): string {
  const over = timeperiods === MONTH ? "a month" : timeperiods === ONE_DAY ? "a day" : "30 days";
  return `${program.some((line) => line.includes("firefox")) ? "browser" : "desktop"} program over ${over}, ${how}`;
}

function paced(pressure: Pressure, fixture: FixtureName): Row {
  return {
    id: `watchers/${pressure}`,
    what: `16 watchers at 10/s, beside ${pressure}`,
    unit: "req/s",
    fixture,
    measure: (server, seconds) => measurePaced(server, pressure, seconds),
  };
}
