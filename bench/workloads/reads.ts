import type { Bench } from "../bench.js";
import type { Child } from "../children.js";
import { get } from "../client/request.js";
import { insertBodies, type Sample, seededRandom } from "../data.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { call, createBucket, measureHttp, type Servers, withServers } from "../servers.js";

/** The bucket of the whole sample. */
export const BUCKET = "bench-watcher-window_host";
const EVENTS_PER_INSERT = 1000;

/** Reads of one kind, each time of a path picked at random. */
export interface Read {
  /** Begins the ids of its rows. */
  readonly id: string;
  readonly workload: string;
  readonly paths: readonly string[];
  readonly connections: readonly number[];
}

/** Measures reads of the sample, over HTTP and in process, against floors that hold the same answers ready. */
export async function holdReads(bench: Bench, reads: readonly Read[]): Promise<void> {
  const overHttp = reads.flatMap((read) =>
    read.connections.map((connections) => ({ ...read, id: `${read.id}/http/${connections}`, connections })),
  );
  const wanted = overHttp.filter(({ id }) => bench.wants(id));
  if (wanted.length > 0) {
    await withServers(bench, async (servers) => {
      const paths = wanted.flatMap((read) => read.paths);
      await fillServers(bench, servers);
      await handAnswersToFloor(servers, paths);
      for (const read of wanted) await holdHttp(bench, servers, read);
    });
  }
  const inside = reads.filter(({ id }) => bench.wants(`${id}/fetch/1`));
  if (inside.length > 0) await holdInside(bench, inside);
}

/** Puts the window events of the sample into the servers. */
export async function fillServers(bench: Bench, servers: Servers): Promise<void> {
  const ours = [...servers].filter(([name]) => name !== "floor");
  await Promise.all(ours.map(([, { port }]) => fillSample(port, bench.sample())));
}

/** Puts the window events of the sample into a server, as a watcher's queue would. */
export async function fillSample(port: number, { window }: Sample): Promise<void> {
  await createBucket(port, BUCKET);
  for (const body of insertBodies(window, EVENTS_PER_INSERT))
    await call(port, `/api/0/buckets/${BUCKET}/events`, String(body));
}

/** Puts the window events of the sample into processes that hold a storage. */
export async function fillInsides(bench: Bench, insides: readonly Child[]): Promise<void> {
  const fillOne = async (inside: Child): Promise<void> => {
    await inside.ask("load", { events: bench.sample().window });
    await inside.ask("fill", BUCKET);
    await inside.ask("load", { events: [] });
  };
  await Promise.all(insides.map(fillOne));
}

/** Both storages must answer the same, or the rows could not be compared. */
export async function handAnswersToFloor(servers: Servers, paths: readonly string[]): Promise<void> {
  const answers = new Map<string, Buffer>();
  for (const path of new Set(paths)) {
    const [memory, leveldb] = [await answerOf(servers, "memory", path), await answerOf(servers, "leveldb", path)];
    if (!memory.equals(leveldb)) throw new Error(`memory and leveldb answer ${path} differently`);
    answers.set(path, memory);
  }
  await servers.get("floor")?.ask("answers", answers);
}

function answerOf(servers: Servers, name: "memory" | "leveldb", path: string): Promise<Buffer> {
  return call(servers.get(name)?.port ?? 0, path);
}

interface HttpRead extends Omit<Read, "connections"> {
  readonly connections: number;
}

async function holdHttp(bench: Bench, servers: Servers, read: HttpRead): Promise<void> {
  const { id, workload, connections } = read;
  const entrants = new Map<string, Entrant>();
  for (const [name, server] of servers) {
    const requests = read.paths.map((path) => get(server.port, path));
    const random = seededRandom(7);
    const next = (): Buffer => requests[Math.floor(random() * requests.length)] as Buffer;
    entrants.set(name, () => measureHttp(server, { connections, seconds: bench.seconds, next }));
  }
  await hold(bench, { id, workload, via: "http", connections, unit: "req/s", entrants });
}

async function holdInside(bench: Bench, reads: readonly Read[]): Promise<void> {
  await withInside(bench, async (insides) => {
    const [memory, leveldb, floor] = [insides.get("memory"), insides.get("leveldb"), insides.get("memory floor")];
    if (!memory || !leveldb || !floor) return;
    await fillInsides(bench, [memory, leveldb]);
    const answers = new Map<string, Buffer>();
    for (const path of reads.flatMap((read) => read.paths)) answers.set(path, await memory.ask("answer", path));
    await floor.ask("load", { answers });
    for (const { id, workload, paths } of reads) {
      const random = seededRandom(7);
      const shuffled = Array.from({ length: 1000 }, () => paths[Math.floor(random() * paths.length)]);
      const run = { operation: "read", argument: { paths: shuffled }, seconds: bench.seconds };
      const entrants = new Map<string, Entrant>([
        ["floor", () => measureInside(floor, run)],
        ["memory", () => measureInside(memory, run)],
        ["leveldb", () => measureInside(leveldb, run)],
      ]);
      await hold(bench, { id: `${id}/fetch/1`, workload, via: "fetch", connections: 1, unit: "req/s", entrants });
    }
  });
}
