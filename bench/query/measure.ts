import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Summary } from "../bench.js";
import { Child, type Watched } from "../children.js";
import { Connection } from "../client/connection.js";
import { quantile } from "../client/load.js";
import { post } from "../client/request.js";
import { insertBodies, type SampleEvent } from "../data.js";
import { call, watchNotes } from "../servers.js";
import { querySample } from "./data.js";
import { BROWSER_BUCKET, IDLE_BUCKET, type Question, unseen, WINDOW_BUCKET } from "./programs.js";

export const QUERY_PATH = "/api/0/query/";
const EVENTS_PER_INSERT = 1000;
/** Questions before the ones that count, for the compiler. */
const WARM_UP_QUESTIONS = 8;
/** What an inserted month leaves to do in the background gets this long. */
export const SETTLE_MILLIS = 1000;

/** A row of the query table: one or several requests, one after the other. */
export interface Task {
  readonly id: string;
  readonly workload: string;
  readonly requests: readonly Question[];
  readonly buckets: readonly string[];
  /** Milliseconds that the goal allows. */
  readonly goal: { readonly cold?: number; readonly warm?: number; readonly again?: number };
}

type QueryStorage = "memory" | "leveldb" | "postgres";

/** A server with the month of the three watchers, started anew at will. */
export class QueryServer {
  readonly storage: QueryStorage;
  readonly child: Child;
  #question = 0;

  private constructor(storage: QueryStorage, child: Child) {
    this.storage = storage;
    this.child = child;
  }

  /** @param place a folder, or the URL of a database */
  static async start(
    bench: Bench,
    storage: QueryStorage,
    place: string = bench.temporaryFolder(),
  ): Promise<QueryServer> {
    const args = storage === "memory" ? [storage] : [storage, place];
    const child = await Child.start({ script: "query/server.mjs", args, profileFolder: bench.profileFolder });
    await fillMonth(child.port);
    await pause(SETTLE_MILLIS);
    return new QueryServer(storage, child);
  }

  /** Milliseconds until the last byte of the last answer. */
  async timeOf(requests: readonly Question[], fresh: boolean): Promise<number> {
    if (fresh) this.#question++;
    const ready = requests.map((request) => {
      const body = JSON.stringify(fresh ? unseen(request, this.#question) : request);
      return post(this.child.port, QUERY_PATH, body);
    });
    const connection = await Connection.open(this.child.port);
    try {
      const started = performance.now();
      for (const bytes of ready) await connection.exchange(bytes);
      return performance.now() - started;
    } finally {
      connection.close();
    }
  }

  /** Milliseconds for reading and decoding what a task reads. */
  async readTime({ requests, buckets }: Task): Promise<number> {
    const ranges = requests.flatMap(({ timeperiods }) =>
      timeperiods.flatMap((period) => {
        const [start, end] = period.split("/").map((instant) => Date.parse(instant) * 1000);
        return buckets.map((bucketId) => ({ bucketId, start, end }));
      }),
    );
    return this.child.ask<number>("read", ranges);
  }
}

/**
 * Puts the month of the three watchers into a server.
 *
 * @param isWanted picks events by their timestamp, in microseconds; all when it is left out
 */
export async function fillMonth(port: number, isWanted: (timestamp: number) => boolean = () => true): Promise<void> {
  const { window, idle, browser } = querySample();
  const buckets: [string, string, readonly SampleEvent<object>[]][] = [
    [WINDOW_BUCKET, "currentwindow", window],
    [IDLE_BUCKET, "afkstatus", idle],
    [BROWSER_BUCKET, "web.tab.current", browser],
  ];
  for (const [id, type, events] of buckets) {
    await call(port, `/api/0/buckets/${id}`, JSON.stringify({ type, client: "bench", hostname: "bench" }));
    const wanted = events.filter(({ timestamp }) => isWanted(timestamp));
    for (const body of insertBodies(wanted, EVENTS_PER_INSERT))
      await call(port, `/api/0/buckets/${id}/events`, body.toString());
  }
}

/** Milliseconds of `JSON.stringify` of the answers, in this process. */
async function printTime(port: number, { requests }: Task, runs: number): Promise<number> {
  const values: unknown[] = [];
  for (const request of requests)
    values.push(JSON.parse((await call(port, QUERY_PATH, JSON.stringify(request))).toString()));
  const times: number[] = [];
  for (let run = 0; run < runs + WARM_UP_QUESTIONS; run++) {
    const started = performance.now();
    for (const value of values) JSON.stringify(value);
    times.push(performance.now() - started);
  }
  return middle(times.slice(WARM_UP_QUESTIONS));
}

export type Heat = "cold" | "warm" | "again";

/**
 * Asks several times and reports a row.
 *
 * - `cold`: every time from a process that was just started;
 * - `warm`: of a process that has answered such questions, but never this program;
 * - `again`: the very same request.
 */
export async function measureTask(bench: Bench, server: QueryServer, task: Task, heat: Heat): Promise<void> {
  const { child } = server;
  const runs = heat === "cold" ? 2 * bench.rounds + 1 : 10 * bench.rounds + 1;
  const [times, reads]: [number[], number[]] = [[], []];
  const fresh = heat !== "again";
  if (heat !== "cold") for (let run = 0; run < WARM_UP_QUESTIONS; run++) await server.timeOf(task.requests, fresh);
  const cpuBefore = await child.cpu();
  let cpu = 0;
  for (let run = 0; run < runs; run++) {
    if (heat === "cold") await child.restart();
    const before = heat === "cold" ? await child.cpu() : 0;
    times.push(await server.timeOf(task.requests, fresh));
    if (heat === "cold") cpu += (await child.cpu()) - before;
  }
  if (heat !== "cold") cpu = (await child.cpu()) - cpuBefore;
  for (let run = 0; run < runs; run++) {
    if (heat === "cold") await child.restart();
    reads.push(await server.readTime(task));
  }
  if (heat === "cold") await child.restart();
  await child.ask("watch");
  await server.timeOf(task.requests, fresh);
  const watched = watchNotes(await child.ask<Watched>("watched"));
  const [read, print] = [middle(reads), await printTime(child.port, task, runs)];
  const goal = task.goal[heat];
  const ours = summary(times, cpu / runs, {
    ...(goal !== undefined && { "goal ms": goal }),
    "read ms": read,
    "stringify ms": print,
    ...watched,
  });
  const floor = summary([read + print], 0, {});
  const workload = `${task.workload}, ${heat}`;
  const facts = { workload, via: "http", storage: server.storage, connections: 1, unit: "responses/s" } as const;
  bench.report({ id: `query/${heat}/${task.id}`, ...facts, ours, floor, ratio: (100 * ours.rate) / floor.rate });
}

/** @param times milliseconds of single answers */
export function summary(times: readonly number[], cpuMicros: number, notes: Record<string, number>): Summary {
  const ascending = times.toSorted((a, b) => a - b);
  const p50Millis = middle(times);
  return {
    rate: 1000 / p50Millis,
    rates: times.map((time) => 1000 / time),
    cpuMicros,
    p50Millis,
    p99Millis: quantile(ascending, 0.99),
    notes,
  };
}

function middle(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
