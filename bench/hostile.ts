// How long heartbeats wait beside bodies that are large or wrong, and what memory hostile queries take. After a build.
//
//   node --import tsx bench/hostile.ts [--seconds S]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Connection } from "./client/connection.js";
import { quantile } from "./client/load.js";
import { BEAT_TIME, beat, post, setTime } from "./client/request.js";
import { positive, runCommand } from "./command.js";
import { Launched } from "./scale/launched.js";
import { createBucket } from "./servers.js";
import { machineFacts } from "./table.js";

const USAGE = "node --import tsx bench/hostile.ts [--seconds S]";
const MIB = 2 ** 20;
const TIMES = 3;
const QUERIES = 50;
const PAUSE_MILLIS = 3;
const EVENTS = "/api/0/buckets/large/events";

/** What is sent beside the heartbeats, one after the other. */
const BODIES: Readonly<Record<string, readonly [path: string, body: () => string]>> = {
  "a beat of 30 MiB of {}": [
    "/api/0/buckets/large/heartbeat?pulsetime=1",
    () => `[${"{},".repeat((30 * MIB) / 3 - 1)}{}]`,
  ],
  "30 MiB of [": [EVENTS, () => "[".repeat(30 * MIB)],
  "250,000 right events": [EVENTS, () => `[${Array.from({ length: 250_000 }, (_, at) => eventAt(at)).join(",")}]`],
  "one event of 6 MiB": [EVENTS, () => eventAt(0, "x".repeat(6 * MIB))],
};

/** Doubles what it has read again and again, and sorts it. */
const HOSTILE = {
  timeperiods: ["2000-01-01/2030-01-01"],
  query: ['e = query_bucket("large");', "e = concat(e, e);".repeat(4), "RETURN = sort_by_duration(e);"],
};

function eventAt(second: number, title = `title number ${second % 5000}`): string {
  const timestamp = new Date(Date.UTC(2020, 0, 1) + second * 1000).toISOString();
  return JSON.stringify({ timestamp, duration: 1, data: { app: `app ${second % 50}`, title } });
}

/** @returns the status; `cut` where the server closed the connection before it had the whole body */
async function statusOf(port: number, path: string, body: string): Promise<number | "cut"> {
  const headers = { "content-type": "application/json" };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
    for await (const _ of answer.body ?? []);
    return answer.status;
  } catch {
    return "cut";
  }
}

/** How often each status came. */
function counted(statuses: readonly (number | "cut")[]): string {
  const all = new Map<number | "cut", number>();
  for (const status of statuses) all.set(status, (all.get(status) ?? 0) + 1);
  return [...all].map(([status, count]) => `${count} x ${status}`).join(", ");
}

/** One watcher, who waits for each answer and a little longer. */
class Watcher {
  readonly #connection: Connection;
  readonly #beat: ReturnType<typeof beat>;
  #second = Date.UTC(2024, 0, 1) / 1000;

  constructor(connection: Connection, port: number) {
    this.#connection = connection;
    const body = `{"timestamp":"${BEAT_TIME}Z","duration":0,"data":{"app":"editor"}}`;
    this.#beat = beat(post(port, "/api/0/buckets/small/heartbeat?pulsetime=60", body));
  }

  /** Beats until the work is done, and for some seconds at least. @returns milliseconds, ascending */
  async beside(work: Promise<unknown>, seconds: number): Promise<Float64Array> {
    const latencies: number[] = [];
    const until = performance.now() + seconds * 1000;
    let isDone = false;
    const noted = work.finally(() => (isDone = true));
    while (!isDone || performance.now() < until) {
      setTime(this.#beat, this.#second++);
      const sentAt = performance.now();
      await this.#connection.exchange(this.#beat.bytes);
      latencies.push(performance.now() - sentAt);
      await pause(PAUSE_MILLIS);
    }
    await noted;
    return Float64Array.from(latencies).sort();
  }
}

async function measure(server: Launched, seconds: number): Promise<void> {
  const { port } = server;
  for (const id of ["small", "large"]) await createBucket(port, id);
  const connection = await Connection.open(port);
  const watcher = new Watcher(connection, port);
  await watcher.beside(Promise.resolve(), seconds);
  const alone = await watcher.beside(Promise.resolve(), seconds);
  const print = (name: string, latencies: Float64Array, note: string): void => {
    const cells = [0.5, 0.99, 1].map((share) => {
      const millis = quantile(latencies, share);
      return `${millis.toFixed(1).padStart(8)} (${(millis / quantile(alone, share)).toFixed(1)})`.padEnd(16);
    });
    const peak = (server.peakBytes() / MIB).toFixed(0);
    console.log(`${name.padEnd(24)} ${cells.join(" ")} ${peak.padStart(6)}  ${note}`);
  };
  console.log("beside                     p50 ms (times)   p99 ms (times)   max ms (times)    peak MiB  answers");
  print("alone", alone, "");
  for (const [name, [path, bodyOf]] of Object.entries(BODIES)) {
    const body = bodyOf();
    const statuses: (number | "cut")[] = [];
    const send = async (): Promise<void> => {
      for (let time = 0; time < TIMES; time++) statuses.push(await statusOf(port, path, body));
    };
    print(name, await watcher.beside(send(), seconds), counted(statuses));
  }
  const query = JSON.stringify(HOSTILE);
  const asked = Promise.all(Array.from({ length: QUERIES }, () => statusOf(port, "/api/0/query", query)));
  const beats = await watcher.beside(asked, seconds);
  print(`${QUERIES} hostile queries`, beats, counted(await asked));
  connection.close();
}

function parseCommand(): { readonly seconds: number } {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "3" } } });
  return { seconds: positive("seconds", values.seconds) };
}

await runCommand(parseCommand, USAGE, async ({ seconds }) => {
  console.log(machineFacts());
  const folder = mkdtempSync(join(tmpdir(), "activity-bench-hostile-"));
  const server = await Launched.launcher(folder);
  try {
    await measure(server, seconds);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
