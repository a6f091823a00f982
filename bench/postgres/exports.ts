import pg from "pg";
import type { Bench, Measurement } from "../bench.js";
import type { Child, Watched } from "../children.js";
import { Connection } from "../client/connection.js";
import { get } from "../client/request.js";
import { type Entrant, hold } from "../rounds.js";
import { createBucket, measureHttp, watchNotes, withStarted } from "../servers.js";
import { EXPORT_PATH } from "../workloads/export.js";
import { BUCKET, fillSample } from "../workloads/reads.js";
import { withNodes } from "./nodes.js";

const TIMES = 5;

/** How fast 200,000 events leave, and what it costs in memory: about as much as a million. */
export async function exports(bench: Bench, url: string): Promise<void> {
  const id = "postgres/export/http/1";
  if (!bench.wants(id)) return;
  const starts = new Map([
    ["postgres", ["postgres", url, "export"]],
    ["leveldb", ["leveldb", bench.temporaryFolder()]],
  ] as const);
  await withStarted(bench, starts, async (servers) => {
    const entrants = new Map<string, Entrant>();
    for (const server of servers.values()) await fillSample(server.port, bench.sample());
    for (const [name, server] of servers) {
      const next = (): Buffer => get(server.port, EXPORT_PATH);
      const load = { connections: 1, seconds: bench.seconds, byBytes: true, next };
      entrants.set(name === "leveldb" ? "floor" : name, () => measureHttp(server, load));
    }
    const node = servers.get("postgres") as Child;
    const growth = await growthOf(node);
    const large = await withNodes(bench, url, "a million", 1, async ([other]) => {
      await createBucket(other.port, BUCKET);
      await multiply(url);
      return growthOf(other);
    });
    const notes = { "growth MB": growth, "growth MB of 1 M": large, "times for 1 M": large / growth };
    const ours = entrants.get("postgres") as Entrant;
    entrants.set("postgres", async (): Promise<Measurement> => ({ ...(await ours()), notes }));
    const workload = "export of 200 k events, floor: LevelDB";
    await hold(bench, { id, workload, via: "http", connections: 1, unit: "MB/s", entrants });
  });
}

/** How much the first export after a start makes a process larger. What the inserts left behind would hide it. */
async function growthOf(node: Child): Promise<number> {
  await node.restart();
  await node.ask("watch");
  const connection = await Connection.open(node.port);
  await connection.exchange(get(node.port, EXPORT_PATH));
  connection.close();
  return watchNotes(await node.ask<Watched>("watched"))["growth MB"] ?? Number.NaN;
}

/** Copies the only bucket of one namespace several times into the only one of another, one copy after the other. */
async function multiply(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    insert into activity_server.events
    select 'a million', e.bucket, e.id + copy * 1000000, e.start_us + copy * 10000000000000, e.duration_us,
      e.data_hash, e.data_text, e.data
    from activity_server.events e, generate_series(1, ${TIMES}) copy where e.namespace = 'export'`);
  await client.end();
}
