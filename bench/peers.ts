// Compares running servers of the ActivityWatch API with each other: bench/README.md, "Other servers".
import type { Outgoing } from "./client/connection.js";
import { Load, quantile } from "./client/load.js";
import { get, post } from "./client/request.js";
import { positive, runCommand } from "./command.js";
import { insertBodies, MICROS_PER_DAY, sample as sampleOf } from "./data.js";
import { call, createBucket } from "./servers.js";
import { beatClock, beatRequests, createBeatBuckets } from "./workloads/heartbeats.js";

const USAGE = `node --import tsx bench/peers.ts NAME=PORT NAME=PORT ... [--rounds 5] [--seconds 2]

Measures servers that listen on this machine, in turns. It creates buckets and events, so start each with an empty data
folder. Rates are medians of the rounds, in requests per second; p99 is in milliseconds.`;

const BUCKET = "peers";
const DAYS = 30;

interface Peer {
  readonly name: string;
  readonly port: number;
}

interface Row {
  readonly name: string;
  readonly connections: number;
  next(port: number): (connection: number) => Outgoing;
}

interface Command {
  readonly peers: readonly Peer[];
  readonly rounds: number;
  readonly seconds: number;
}

function parse(): Command {
  const words = process.argv.slice(2);
  const take = (flag: string, fallback: string): number => {
    const at = words.indexOf(`--${flag}`);
    const text = at < 0 ? fallback : (words.splice(at, 2)[1] ?? "");
    return positive(flag, text);
  };
  const [rounds, seconds] = [take("rounds", "5"), take("seconds", "2")];
  const peers = words.map((word) => {
    const [name = "", port = ""] = word.split("=");
    return { name, port: positive(name, port) };
  });
  if (peers.length === 0) throw new TypeError("name a server, such as ours=5600");
  return { peers, rounds, seconds };
}

const sample = sampleOf({ days: DAYS });

function beats(kind: "merge" | "insert", connections: number): Row {
  const clocks = new Map<number, ReturnType<typeof beatClock>>();
  return {
    ...{ name: `heartbeat ${kind}`, connections },
    next: (port) => {
      const clock = clocks.get(port) ?? beatClock();
      clocks.set(port, clock);
      return beatRequests(port, sample, { kind, connections }, clock);
    },
  };
}

/** A query over one of the past days, another one each time. */
function dayQuery(port: number): () => Outgoing {
  let turn = 0;
  const query = [`RETURN = merge_events_by_keys(query_bucket("${BUCKET}"), ["app"]);`];
  return () => {
    const start = sample.window[0]?.timestamp ?? 0;
    const day = new Date((start + (turn++ % (DAYS - 1)) * MICROS_PER_DAY) / 1000).toISOString().slice(0, 10);
    const timeperiods = [`${day}T00:00:00+00:00/${day}T23:59:59+00:00`];
    return post(port, "/api/0/query", JSON.stringify({ query, timeperiods }));
  };
}

const ROWS: readonly Row[] = [
  beats("merge", 1),
  beats("merge", 64),
  beats("insert", 1),
  beats("insert", 64),
  { name: "newest event", connections: 1, next: (port) => () => get(port, `/api/0/buckets/${BUCKET}/events?limit=1`) },
  {
    ...{ name: "newest 1,000 events", connections: 1 },
    next: (port) => () => get(port, `/api/0/buckets/${BUCKET}/events?limit=1000`),
  },
  { name: "query over a day", connections: 1, next: dayQuery },
];

async function run({ peers, rounds, seconds }: Command): Promise<void> {
  for (const { port } of peers) {
    await createBeatBuckets(port);
    await createBucket(port, BUCKET);
    for (const body of insertBodies(sample.window, 1000))
      await call(port, `/api/0/buckets/${BUCKET}/events`, `${body}`);
  }
  console.log(`| | connections | ${peers.map(({ name }) => `${name}, per second (p99)`).join(" | ")} |`);
  console.log(`|---|---|${peers.map(() => "---|").join("")}`);
  for (const { name, connections, next } of ROWS) {
    const loads: Load[] = [];
    for (const { port } of peers) loads.push(await Load.open(port, connections, next(port)));
    for (const load of loads) await load.run(1);
    const results = loads.map((): { rate: number; p99: number }[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, load] of loads.entries()) {
        const { requests, seconds: took, latencies } = await load.run(seconds);
        results[at]?.push({ rate: requests / took, p99: quantile(latencies, 0.99) });
      }
    }
    for (const load of loads) load.close();
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
    const cells = results.map((list) => {
      return `${Math.round(median(list.map(({ rate }) => rate)))} (${median(list.map(({ p99 }) => p99)).toFixed(1)})`;
    });
    console.log(`| ${name} | ${connections} | ${cells.join(" | ")} |`);
  }
}

await runCommand(parse, USAGE, run);
