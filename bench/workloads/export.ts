import type { Bench, Measurement } from "../bench.js";
import type { Child, Watched } from "../children.js";
import { get } from "../client/request.js";
import { readSlowly } from "../client/slow.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { measureHttp, type Servers, watchNotes, withServers } from "../servers.js";
import { BUCKET, fillInsides, fillServers, handAnswersToFloor } from "./reads.js";

export const EXPORT_PATH: string = `/api/0/buckets/${BUCKET}/export`;
/** What the slow reader takes, in bytes a second: a sixth of what LevelDB could send. */
const SLOW_RATE = 20e6;
const facts = { workload: "export of 200 k events", connections: 1, unit: "MB/s" };

/** How fast 200,000 events leave, what it costs in memory, and how long nobody else is served. */
export async function exportAll(bench: Bench): Promise<void> {
  if (bench.wants("export/http/1") || bench.wants("export/slow/1")) await overHttp(bench);
  if (bench.wants("export/fetch/1")) await inProcess(bench);
}

async function overHttp(bench: Bench): Promise<void> {
  await withServers(bench, async (servers) => {
    await fillServers(bench, servers);
    await handAnswersToFloor(servers, [EXPORT_PATH]);
    // What the inserts left behind would hide the growth.
    await servers.get("leveldb")?.restart();
    if (bench.wants("export/http/1")) await holdFast(bench, servers);
    if (bench.wants("export/slow/1")) await holdSlow(bench, servers);
  });
}

async function holdFast(bench: Bench, servers: Servers): Promise<void> {
  const entrants = new Map<string, Entrant>();
  for (const [name, server] of servers) {
    const request = get(server.port, EXPORT_PATH);
    const load = { connections: 1, seconds: bench.seconds, byBytes: true, watch: true, next: () => request };
    entrants.set(name, () => measureHttp(server, load));
  }
  await hold(bench, { ...facts, id: "export/http/1", via: "http", entrants });
}

async function holdSlow(bench: Bench, servers: Servers): Promise<void> {
  const entrants = new Map<string, Entrant>();
  for (const [name, server] of servers) entrants.set(name, () => measureSlow(server));
  const workload = "export of 200 k events, slow reader";
  await hold(bench, { ...facts, workload, id: "export/slow/1", via: "http", entrants });
}

/** One export, whose reader takes less than the server could send: what that costs is memory. */
async function measureSlow(server: Child): Promise<Measurement> {
  await server.ask("watch");
  const cpuBefore = await server.cpu();
  const { bodyBytes, seconds } = await readSlowly(server.port, EXPORT_PATH, SLOW_RATE);
  const cpuMicros = (await server.cpu()) - cpuBefore;
  const notes = watchNotes(await server.ask<Watched>("watched"));
  const millis = seconds * 1000;
  return { rate: bodyBytes / 1e6 / seconds, cpuMicros, p50Millis: millis, p99Millis: millis, notes };
}

async function inProcess(bench: Bench): Promise<void> {
  await withInside(bench, async (insides) => {
    const [memory, leveldb, floor] = [insides.get("memory"), insides.get("leveldb"), insides.get("memory floor")];
    if (!memory || !leveldb || !floor) return;
    await fillInsides(bench, [memory, leveldb]);
    await floor.ask("load", { answers: new Map([[EXPORT_PATH, await memory.ask("answer", EXPORT_PATH)]]) });
    const run = {
      operation: "stream",
      argument: { path: EXPORT_PATH },
      seconds: bench.seconds,
      byBytes: true,
      watch: true,
    };
    const entrants = new Map<string, Entrant>([
      ["floor", () => measureInside(floor, run)],
      ["memory", () => measureInside(memory, run)],
      ["leveldb", () => measureInside(leveldb, run)],
    ]);
    await hold(bench, { ...facts, id: "export/fetch/1", via: "fetch", entrants });
  });
}
