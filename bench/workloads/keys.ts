import type { Bench } from "../bench.js";
import type { Child } from "../children.js";
import { type Entrant, hold } from "../rounds.js";
import { measureHttp, type ServerName, withStarted } from "../servers.js";
import { beatClock, beatRequests, createBeatBuckets } from "./heartbeats.js";

const CONNECTIONS = [1, 8, 64];
const SCOPES = ["append:bench-watcher-window_*"];

/**
 * What a key costs: heartbeats that bring one against the same heartbeats without, sent to the same process, which
 * lets both in.
 */
export async function keys(bench: Bench): Promise<void> {
  const choices = CONNECTIONS.map((connections) => ({ id: `keys/merge/http/${connections}`, connections }));
  const wanted = choices.filter(({ id }) => bench.wants(id));
  if (wanted.length === 0) return;
  const starts = new Map<ServerName, readonly string[]>([
    ["memory", ["memory"]],
    ["leveldb", ["leveldb", bench.temporaryFolder()]],
  ]);
  await withStarted(bench, starts, async (servers) => {
    const keyed = new Map<string, string>();
    for (const [name, server] of servers) {
      await createBeatBuckets(server.port);
      keyed.set(name, await server.ask<string>("addKey", SCOPES));
    }
    for (const { id, connections } of wanted) {
      const entrants = new Map<string, Entrant>();
      for (const [name, server] of servers) {
        const contenders = entrantsOf(bench, server, connections, keyed.get(name) as string);
        entrants.set(name, contenders.withKey).set(`${name} floor`, contenders.without);
      }
      await hold(bench, { id, workload: "heartbeat with a key", via: "http", connections, unit: "req/s", entrants });
    }
  });
}

/** The two loads of one server, whose beats go on from each other. */
function entrantsOf(bench: Bench, server: Child, connections: number, key: string) {
  const clock = beatClock();
  const sending = (given?: string): Entrant => {
    const load = { kind: "merge", connections, key: given } as const;
    const next = beatRequests(server.port, bench.sample(), load, clock);
    return () => measureHttp(server, { connections, seconds: bench.seconds, next });
  };
  return { withKey: sending(key), without: sending() };
}
