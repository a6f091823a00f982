import type { Bench } from "../bench.js";
import { get } from "../client/request.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { measureHttp, withServers } from "../servers.js";
import { BUCKET, fillInsides, fillServers, handAnswersToFloor } from "./reads.js";

const PATH = `/api/0/buckets/${BUCKET}/export`;
const facts = { workload: "export of 200 k events", connections: 1, unit: "MB/s" };

/** How fast 200,000 events leave, what it costs in memory, and how long nobody else is served. */
export async function exportAll(bench: Bench): Promise<void> {
  if (bench.wants("export/http/1")) await overHttp(bench);
  if (bench.wants("export/fetch/1")) await inProcess(bench);
}

async function overHttp(bench: Bench): Promise<void> {
  await withServers(bench, async (servers) => {
    await fillServers(bench, servers);
    await handAnswersToFloor(servers, [PATH]);
    // What the inserts left behind would hide the growth.
    await servers.get("leveldb")?.restart();
    const entrants = new Map<string, Entrant>();
    for (const [name, server] of servers) {
      const request = get(server.port, PATH);
      const load = { connections: 1, seconds: bench.seconds, byBytes: true, watch: true, next: () => request };
      entrants.set(name, () => measureHttp(server, load));
    }
    await hold(bench, { ...facts, id: "export/http/1", via: "http", entrants });
  });
}

async function inProcess(bench: Bench): Promise<void> {
  await withInside(bench, async (insides) => {
    const [memory, leveldb, floor] = [insides.get("memory"), insides.get("leveldb"), insides.get("memory floor")];
    if (!memory || !leveldb || !floor) return;
    await fillInsides(bench, [memory, leveldb]);
    await floor.ask("load", { answers: new Map([[PATH, await memory.ask("answer", PATH)]]) });
    const run = { operation: "stream", argument: { path: PATH }, seconds: bench.seconds, byBytes: true, watch: true };
    const entrants = new Map<string, Entrant>([
      ["floor", () => measureInside(floor, run)],
      ["memory", () => measureInside(memory, run)],
      ["leveldb", () => measureInside(leveldb, run)],
    ]);
    await hold(bench, { ...facts, id: "export/fetch/1", via: "fetch", entrants });
  });
}
