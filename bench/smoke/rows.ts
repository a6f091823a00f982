import type { Measurement } from "../bench.js";
import { get, post, postHead } from "../client/request.js";
import { exportFile, insertBodies, type Sample, seededRandom } from "../data.js";
import { QUERY_PATH } from "../query/measure.js";
import { desktopProgram, MONTH, ONE_DAY, type Question, unseen } from "../query/programs.js";
import { call, createBucket, type HttpLoad } from "../servers.js";
import { createInsertBuckets, EVENTS, inserts } from "../workloads/bulk.js";
import { dayPaths } from "../workloads/day.js";
import { EXPORT_PATH } from "../workloads/export.js";
import { type BeatClock, type BeatLoad, beatRequests, exampleAnswer } from "../workloads/heartbeats.js";
import { IMPORT_PATH } from "../workloads/import.js";
import { latestPath } from "../workloads/latest.js";
import type { Contender } from "./contender.js";
import type { FixtureName } from "./fixtures.js";

/** What a load is made for. */
export interface LoadContext {
  readonly port: number;
  readonly sample: Sample;
  readonly clock: BeatClock;
}

/** The requests of a row; the length of a measurement is the runner's, unless one request is enough. */
export type RowLoad = Omit<HttpLoad, "seconds" | "watch"> & { readonly isSingle?: boolean };

/** Something that is measured. Higher rates are better. */
export interface SmokeRow {
  readonly id: string;
  readonly unit: string;
  readonly fixture: FixtureName;
  /** Brings a server, beyond its fixture, to where the row begins. */
  prepare?(port: number): Promise<void>;
  /** The answers that a floor is to give, by URL; `""` stands for every other URL. Only of rows that have a baseline. */
  answers?(context: LoadContext): Promise<ReadonlyMap<string, Buffer>>;
  /** Makes the load for one server. Absent when `measure` is there. */
  load?(context: LoadContext): RowLoad;
  /** Measures once what is no load. */
  measure?(contender: Contender): Promise<Measurement>;
  /** Whether it takes so long that it is only measured when it is named. @default false */
  readonly onDemand?: boolean;
}

const DESKTOP: Question = { timeperiods: MONTH, query: desktopProgram(false) };
const DESKTOP_DAY: Question = { timeperiods: ONE_DAY, query: desktopProgram(false) };

/** All rows, those of one fixture together. */
export const ROWS: readonly SmokeRow[] = [
  beats("heartbeats/merge/1", { kind: "merge", connections: 1 }),
  beats("heartbeats/merge/8", { kind: "merge", connections: 8 }),
  beats("heartbeats/merge/64", { kind: "merge", connections: 64 }),
  beats("heartbeats/insert/1", { kind: "insert", connections: 1 }),
  beats("heartbeats/insert/8", { kind: "insert", connections: 8 }),
  beats("heartbeats/insert/64", { kind: "insert", connections: 64 }),
  beats("heartbeats/buckets/64", { kind: "buckets", connections: 64 }),
  beats("heartbeats/mixed/8", { kind: "insert", connections: 8, repeat: 5 }),
  bulk(1),
  bulk(8),
  importRow(),
  reads("latest/1/8", [latestPath(1)], 8),
  reads("latest/100/8", [latestPath(100)], 8),
  reads("latest/1000/8", [latestPath(1000)], 8),
  reads("day/1", dayPaths(), 1),
  reads("day/8", dayPaths(), 8),
  { ...reads("export/1", [EXPORT_PATH], 1), unit: "MB/s", load: exportLoad },
  start("start/200k", "window"),
  queries("query/day/warm", "day", DESKTOP_DAY, true),
  queries("query/month/warm", "month", DESKTOP, true),
  queries("query/month/again", "month", DESKTOP, false),
  coldQuery("query/month/cold", DESKTOP),
  { ...start("start/10m", "decade"), onDemand: true },
];

function beats(id: string, load: BeatLoad): SmokeRow {
  return {
    id,
    unit: "req/s",
    fixture: "empty",
    load: ({ port, sample, clock }) => ({
      connections: load.connections,
      next: beatRequests(port, sample, load, clock),
    }),
    answers: async ({ port, sample }) => new Map([["", await exampleAnswer(port, sample)]]),
  };
}

function bulk(connections: number): SmokeRow {
  const prefix = `bench-bulk-${connections}-`;
  return {
    id: `bulk/${connections}`,
    prepare: (port) => createInsertBuckets(port, prefix, connections),
    unit: "events/s",
    fixture: "empty",
    load: ({ port, sample }) => ({
      connections,
      unitsPerRequest: EVENTS,
      next: inserts(port, prefix, insertBodies(sample.window, EVENTS)),
    }),
    async answers({ port, sample }) {
      await createBucket(port, "bench-example");
      const [body] = insertBodies(sample.window.slice(0, EVENTS), EVENTS);
      return new Map([["", await call(port, "/api/0/buckets/bench-example/events", String(body))]]);
    },
  };
}

/** The export of 200,000 events into a bucket of its own each time. */
function importRow(): SmokeRow {
  return {
    id: "import/1",
    unit: "events/s",
    fixture: "empty",
    load: ({ port, sample }) => {
      const { file, keyAt } = exportFile(sample.window);
      const head = postHead(port, IMPORT_PATH, file.length);
      let imports = 0;
      const next = (): [Buffer, Buffer] => {
        file.write(String(imports++).padStart(3, "0"), keyAt, "latin1");
        return [head, file];
      };
      return { connections: 1, unitsPerRequest: sample.window.length, isSingle: true, next };
    },
  };
}

/** Reads of the bucket of 200,000 events, each time of a path picked at random. */
function reads(id: string, paths: readonly string[], connections: number): SmokeRow {
  return {
    id,
    unit: "req/s",
    fixture: "window",
    load: ({ port }) => {
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

function exportLoad({ port }: LoadContext): RowLoad {
  const request = get(port, EXPORT_PATH);
  return { connections: 1, byBytes: true, next: () => request };
}

/** From the decision to start it to the last byte of the list of its buckets. */
function start(id: string, fixture: FixtureName): SmokeRow {
  return { id, unit: "starts/s", fixture, measure: (contender) => contender.restart() };
}

/** @param isFresh whether a server never sees the same program twice */
function queries(id: string, fixture: FixtureName, question: Question, isFresh: boolean): SmokeRow {
  return {
    id,
    unit: "responses/s",
    fixture,
    load: ({ port }) => {
      let number = 0;
      const next = (): Buffer => {
        const asked = isFresh ? unseen(question, number++) : question;
        return post(port, QUERY_PATH, JSON.stringify(asked));
      };
      return { connections: 1, next };
    },
    answers: async ({ port }) => new Map([["", await call(port, QUERY_PATH, JSON.stringify(question))]]),
  };
}

/** The first answer of a process that was just started. */
function coldQuery(id: string, question: Question): SmokeRow {
  return {
    id,
    unit: "responses/s",
    fixture: "month",
    async measure(contender) {
      await contender.restart();
      return contender.ask(post(contender.port, QUERY_PATH, JSON.stringify(question)));
    },
  };
}
