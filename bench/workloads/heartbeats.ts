import type { Bench } from "../bench.js";
import { BEAT_TIME, type Beat, beat, post, setTime } from "../client/request.js";
import type { Sample } from "../data.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { call, createBucket, measureHttp, type Servers, withServers } from "../servers.js";

/**
 * - `merge`: every connection is a watcher with a bucket of its own that keeps reporting the same;
 * - `insert`: the same, but every beat has other data than the one before;
 * - `buckets`: beats that merge go to 100 buckets in turn.
 */
const KINDS = ["merge", "insert", "buckets"] as const;
type Kind = (typeof KINDS)[number];
const CONNECTIONS = [1, 8, 64];
const CALLERS = [1, 64];
const BUCKETS = 100;
/** Distinct beats of `insert`, over all connections. */
const INSERTS = 2048;
/** Newer than the sample. */
const FIRST_BEAT_SECONDS = 1_750_000_000;

/** How many heartbeats a second are taken, and how long each waits. */
export async function heartbeats(bench: Bench): Promise<void> {
  const http = choose(bench, "http", CONNECTIONS);
  if (http.length > 0) await withServers(bench, (servers) => holdBeats(bench, servers, http));
  const inside = choose(bench, "storage", CALLERS);
  if (inside.length > 0) await inProcess(bench, inside);
}

/** A row. */
export interface Choice {
  readonly id: string;
  readonly kind: Kind;
  readonly connections: number;
}

function choose(bench: Bench, via: string, connections: readonly number[]): Choice[] {
  const all = KINDS.flatMap((kind) =>
    connections.map((count) => ({ id: `heartbeats/${kind}/${via}/${count}`, kind, connections: count })),
  );
  return all.filter(({ id }) => bench.wants(id));
}

/** Measures heartbeats over HTTP on servers that hold nothing, against one that sends the same answers. */
export async function holdBeats(bench: Bench, servers: Servers, choices: readonly Choice[]): Promise<void> {
  for (const [name, { port }] of servers) {
    if (name === "floor") continue;
    await createBeatBuckets(port);
  }
  const answering = servers.get("memory") ?? servers.get("leveldb");
  const answer = await exampleAnswer(answering?.port ?? 0, bench.sample());
  await servers.get("floor")?.ask("answers", new Map([["", answer]]));
  const clocks = new Map([...servers.keys()].map((name) => [name, beatClock()]));
  for (const { id, kind, connections } of choices) {
    const entrants = new Map<string, Entrant>();
    for (const [name, server] of servers) {
      const clock = clocks.get(name) as BeatClock;
      const next = beatRequests(server.port, bench.sample(), { kind, connections }, clock);
      entrants.set(name, () => measureHttp(server, { connections, seconds: bench.seconds, next }));
    }
    await hold(bench, { id, workload: `heartbeat ${kind}`, via: "http", connections, unit: "req/s", entrants });
  }
}

/** The time at which the next beat to a server is dated. */
export interface BeatClock {
  /** Since 1970. */
  seconds: number;
}

export function beatClock(): BeatClock {
  return { seconds: FIRST_BEAT_SECONDS };
}

/** Makes the buckets that `beatRequests` sends to. */
export async function createBeatBuckets(port: number): Promise<void> {
  for (let bucket = 0; bucket < BUCKETS; bucket++) await createBucket(port, bucketId(bucket));
}

/** What a server with these buckets answers to a beat. */
export function exampleAnswer(port: number, sample: Sample): Promise<Buffer> {
  return call(port, beatPath(0), beatBody(JSON.stringify(sample.distinct[0])));
}

/** The beats of one kind to one server. */
export interface BeatLoad {
  readonly kind: Kind;
  readonly connections: number;
  /** Beats of `insert` with the same data, one after the other: all but the first of them merge. @default 1 */
  readonly repeat?: number;
  /** That each beat brings. @default none */
  readonly key?: string | undefined;
}

/** Gives the beat that a connection sends next. Several loads of one server share its clock. */
export function beatRequests(
  port: number,
  sample: Sample,
  load: BeatLoad,
  clock: BeatClock,
): (connection: number) => Buffer {
  const beats = beatsOf(port, sample, load);
  // One second later for every turn of all buckets, so that the beats of each stay within the pulsetime.
  const step = 1 / (load.kind === "buckets" ? BUCKETS : load.connections);
  return (connection) => {
    const chosen = beats(connection);
    clock.seconds += step;
    setTime(chosen, Math.floor(clock.seconds));
    return chosen.bytes;
  };
}

async function inProcess(bench: Bench, choices: readonly Choice[]): Promise<void> {
  await withInside(bench, async (insides) => {
    const data = bench.sample().distinct;
    for (const { id, kind, connections } of choices) {
      const entrants = new Map<string, Entrant>();
      for (const [name, inside] of insides) {
        const argument = { kind, callers: connections, buckets: BUCKETS, data, firstSeconds: FIRST_BEAT_SECONDS };
        const run = { operation: "heartbeat", argument, callers: connections, seconds: bench.seconds };
        // Memory takes millions a second; that many events would turn the row into one about garbage collection.
        entrants.set(name, () => measureInside(inside, { ...run, most: 200_000 }));
      }
      await hold(bench, { id, workload: `heartbeat ${kind}`, via: "storage", connections, unit: "req/s", entrants });
    }
  });
}

function beatsOf(
  port: number,
  sample: Sample,
  { kind, connections, repeat = 1, key }: BeatLoad,
): (connection: number) => Beat {
  const build = (bucket: number, rank: number): Beat =>
    beat(post(port, beatPath(bucket), beatBody(JSON.stringify(sample.distinct[rank])), key));
  const perConnection = kind === "merge" ? 1 : kind === "insert" ? Math.ceil(INSERTS / connections) : BUCKETS;
  const beats = Array.from({ length: connections }, (_, connection) =>
    Array.from({ length: perConnection }, (_, index) =>
      kind === "buckets" ? build(index, index) : build(connection, connection * perConnection + index),
    ),
  );
  let turn = 0;
  const turns = new Array<number>(connections).fill(0);
  return (connection) => {
    const own = beats[connection] as Beat[];
    const index = kind === "buckets" ? turn++ : (turns[connection] as number);
    turns[connection] = index + 1;
    return own[Math.floor(index / repeat) % perConnection] as Beat;
  };
}

function beatBody(data: string): string {
  return `{"timestamp":"${BEAT_TIME}.500000+00:00","duration":0,"data":${data}}`;
}

function beatPath(bucket: number): string {
  return `/api/0/buckets/${bucketId(bucket)}/heartbeat?pulsetime=60`;
}

function bucketId(number: number): string {
  return `bench-watcher-window_${String(number).padStart(3, "0")}`;
}
