import type { Bench } from "../bench.js";
import { Child } from "../children.js";
import { Connection } from "../client/connection.js";
import { quantile } from "../client/load.js";
import { BEAT_TIME, type Beat, beat, post, setTime } from "../client/request.js";
import { limitToShare } from "../core-share.js";
import { type Entrant, hold } from "../rounds.js";
import { call, createBucket } from "../servers.js";

const WATCHERS = 64;
const NODES = 3;
/** The share of a core of a small node: three of them leave the rest of two cores to the database and the watchers. */
const SMALL = 0.2;
/** Beats with the same data one after the other: all but the first of them merge. */
const REPEAT = 10;
const FIRST_BEAT_SECONDS = 1_750_000_000;

/** Nodes of one namespace, each a process of its own. */
export async function withNodes<T>(
  { profileFolder }: Bench,
  url: string,
  namespace: string,
  count: number,
  use: (nodes: readonly [Child, ...Child[]]) => Promise<T>,
): Promise<T> {
  const nodes: Child[] = [];
  try {
    const args = ["postgres", url, namespace];
    for (let node = 0; node < count; node++)
      nodes.push(await Child.start({ script: "server.mjs", args, profileFolder }));
    return await use(nodes as [Child, ...Child[]]);
  } finally {
    for (const node of nodes) await node.stop();
  }
}

/** What three nodes on one database take together, against one alone. Afterwards every beat is looked for. */
export async function nodes(bench: Bench, url: string): Promise<void> {
  const workload = "heartbeats to 3 nodes, floor: to one";
  await compare(bench, url, { id: `postgres/nodes/http/${WATCHERS}`, workload });
  await compare(bench, url, { id: `postgres/nodes/small/${WATCHERS}`, workload: `${workload}, small`, share: SMALL });
}

interface Comparison {
  readonly id: string;
  readonly workload: string;
  /** Of a core, for each node. @default all of it */
  readonly share?: number;
}

async function compare(bench: Bench, url: string, { id, workload, share = 1 }: Comparison): Promise<void> {
  if (!bench.wants(id)) return;
  await withNodes(bench, url, `${id} one`, 1, (one) =>
    withNodes(bench, url, `${id} three`, NODES, async (three) => {
      const entrants = new Map<string, Entrant>([
        ["floor", await watchersOf(one, bench)],
        ["postgres", await watchersOf(three, bench)],
      ]);
      const limited = share < 1 ? [...one, ...three] : [];
      const limits = limited.map(({ pid }) => limitToShare(pid, share));
      try {
        if (limits.includes(undefined)) console.error(`${id} is left out: no control group for a share of a core`);
        else await hold(bench, { id, workload, via: "http", connections: WATCHERS, unit: "req/s", entrants });
      } finally {
        for (const node of limited) await node.stop();
        for (const remove of limits) remove?.();
      }
    }),
  );
}

/** Watchers that send each beat to the next node, so that every node goes on with what another one stored. */
async function watchersOf(nodes: readonly [Child, ...Child[]], { seconds }: Bench): Promise<Entrant> {
  const [{ port }] = nodes;
  const ids = Array.from({ length: WATCHERS }, (_, watcher) => `bench-watcher-window_${watcher}`);
  for (const id of ids) await createBucket(port, id);
  const sent = ids.map(() => 0);

  async function send(watcher: number, connections: readonly Connection[], until: number): Promise<number[]> {
    const latencies: number[] = [];
    while (performance.now() < until) {
      const turn = sent[watcher] as number;
      sent[watcher] = turn + 1;
      const sentAt = performance.now();
      const { bytes } = requestOf(port, ids[watcher] as string, turn);
      await (connections[turn % connections.length] as Connection).exchange(bytes);
      latencies.push(performance.now() - sentAt);
    }
    return latencies;
  }

  return async () => {
    const open = await Promise.all(ids.map(() => Promise.all(nodes.map((node) => Connection.open(node.port)))));
    const run = async (length: number): Promise<number[]> => {
      const until = performance.now() + length * 1000;
      return (await Promise.all(open.map((connections, watcher) => send(watcher, connections, until)))).flat();
    };
    try {
      await run(nodes[0].warmUpSeconds(seconds));
      const cpuBefore = await cpuOf(nodes);
      const started = performance.now();
      const latencies = (await run(seconds)).sort((one, other) => one - other);
      const took = (performance.now() - started) / 1000;
      return {
        rate: latencies.length / took,
        cpuMicros: ((await cpuOf(nodes)) - cpuBefore) / latencies.length,
        p50Millis: quantile(latencies, 0.5),
        p99Millis: quantile(latencies, 0.99),
        notes: await faults(port, ids, sent),
      };
    } finally {
      for (const connection of open.flat()) connection.close();
    }
  };
}

/** The beats of a watcher are a second apart, and the data are others after every few of them. */
function requestOf(port: number, id: string, turn: number): Beat {
  const data = JSON.stringify({ app: "Code", title: `file ${Math.floor(turn / REPEAT)}` });
  const body = `{"timestamp":"${BEAT_TIME}.000000+00:00","duration":0,"data":${data}}`;
  const made = beat(post(port, `/api/0/buckets/${id}/heartbeat?pulsetime=60`, body));
  setTime(made, FIRST_BEAT_SECONDS + turn);
  return made;
}

async function cpuOf(nodes: readonly Child[]): Promise<number> {
  let sum = 0;
  for (const node of nodes) sum += await node.cpu();
  return sum;
}

/** Compares what was acknowledged with what is there: seconds that events are too short, and events or seconds too many. */
async function faults(port: number, ids: readonly string[], sent: readonly number[]): Promise<Record<string, number>> {
  let [lost, doubled] = [0, 0];
  for (const [watcher, id] of ids.entries()) {
    const beats = sent[watcher] as number;
    const wanted = Math.ceil(beats / REPEAT);
    const text = (await call(port, `/api/0/buckets/${id}/events?limit=-1`)).toString();
    const events = JSON.parse(text) as readonly { readonly duration: number }[];
    // Of each event all beats but the first make it a second longer.
    const seconds = events.reduce((sum, { duration }) => sum + duration, 0) - (beats - wanted);
    lost += Math.max(0, wanted - events.length) + Math.max(0, -seconds);
    doubled += Math.max(0, events.length - wanted) + Math.max(0, seconds);
  }
  return { lost, doubled };
}
