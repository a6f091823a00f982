import type { Bench } from "../bench.js";
import type { Outgoing } from "../client/connection.js";
import { postHead } from "../client/request.js";
import { insertBodies } from "../data.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { call, createBucket, measureHttp, type Servers, withServers } from "../servers.js";

/** Events of one insert. */
export const EVENTS = 1000;
const CONNECTIONS = [1, 8];
/** Buckets that a connection fills one after the other with the whole sample each. */
const BUCKETS_PER_CONNECTION = 100;
const OPERATIONS = [
  { via: "fetch", operation: "insert" },
  { via: "storage", operation: "putEvents" },
] as const;
const facts = { workload: "bulk insert, 1000 a request", unit: "events/s" };

/** How many events a second arrive in requests of 1000. */
export async function bulk(bench: Bench): Promise<void> {
  const http = CONNECTIONS.filter((connections) => bench.wants(`bulk/http/${connections}`));
  if (http.length > 0) await withServers(bench, (servers) => overHttp(bench, servers, http));
  const inside = OPERATIONS.filter(({ via }) => bench.wants(`bulk/${via}/1`));
  if (inside.length > 0) await inProcess(bench, inside);
}

async function overHttp(bench: Bench, servers: Servers, connectionCounts: readonly number[]): Promise<void> {
  const bodies = insertBodies(bench.sample().window, EVENTS);
  const memory = servers.get("memory")?.port ?? 0;
  await createBucket(memory, "bench-example");
  const answer = await call(memory, "/api/0/buckets/bench-example/events", String(bodies[0]));
  await servers.get("floor")?.ask("answers", new Map([["", answer]]));
  for (const connections of connectionCounts) {
    const entrants = new Map<string, Entrant>();
    for (const [name, server] of servers) {
      const prefix = `bench-bulk-${connections}-`;
      // Made before, so that no measurement pays for it; the floor knows no buckets.
      if (name !== "floor") await createInsertBuckets(server.port, prefix, connections);
      const next = inserts(server.port, prefix, bodies);
      const load = { connections, seconds: bench.seconds, unitsPerRequest: EVENTS, next };
      entrants.set(name, () => measureHttp(server, load));
    }
    await hold(bench, { ...facts, id: `bulk/http/${connections}`, via: "http", connections, entrants });
  }
}

/** Makes the buckets that `inserts` fills one after the other. */
export async function createInsertBuckets(port: number, prefix: string, connections: number): Promise<void> {
  const count = connections * BUCKETS_PER_CONNECTION;
  for (let bucket = 0; bucket < count; bucket++) await createBucket(port, prefix + bucket);
}

/** Gives the insert that a connection sends next; buckets are named by a prefix and a number. */
export function inserts(port: number, prefix: string, bodies: readonly Buffer[]): (connection: number) => Outgoing {
  const turns = new Map<number, number>();
  return (connection) => {
    const turn = turns.get(connection) ?? 0;
    turns.set(connection, turn + 1);
    const body = bodies[turn % bodies.length] as Buffer;
    const filled = Math.floor(turn / bodies.length) % BUCKETS_PER_CONNECTION;
    const bucket = connection * BUCKETS_PER_CONNECTION + filled;
    return [postHead(port, `/api/0/buckets/${prefix}${bucket}/events`, body.length), body];
  };
}

async function inProcess(bench: Bench, operations: readonly (typeof OPERATIONS)[number][]): Promise<void> {
  const events = bench.sample().window;
  const bodies = insertBodies(events, EVENTS);
  await withInside(bench, async (insides) => {
    for (const inside of insides.values()) await inside.ask("load", { events, bodies });
    for (const { via, operation } of operations) {
      const entrants = new Map<string, Entrant>();
      for (const [name, inside] of insides) {
        // Two samples in memory are enough of it.
        const run = { operation, seconds: bench.seconds, most: 400, unitsPerCall: EVENTS };
        entrants.set(name, () => measureInside(inside, run));
      }
      await hold(bench, { ...facts, id: `bulk/${via}/1`, via, connections: 1, entrants });
    }
  });
}
