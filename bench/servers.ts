import type { Bench, Measurement } from "./bench.js";
import { Child, type Watched } from "./children.js";
import type { Outgoing } from "./client/connection.js";
import { Load, quantile } from "./client/load.js";

export type ServerName = "floor" | "memory" | "leveldb" | "postgres";
export type Servers = ReadonlyMap<ServerName, Child>;

/** Runs `use` with the three servers, each a process of its own, and ends them. */
export function withServers(bench: Bench, use: (servers: Servers) => Promise<void>): Promise<void> {
  const starts = new Map<ServerName, readonly string[]>([
    ["floor", ["floor"]],
    ["memory", ["memory"]],
    ["leveldb", ["leveldb", bench.temporaryFolder()]],
  ]);
  return withStarted(bench, starts, use);
}

/** The same with servers by their names, each with the arguments of `server.mjs`. */
export async function withStarted(
  { profileFolder }: Bench,
  starts: ReadonlyMap<ServerName, readonly string[]>,
  use: (servers: Servers) => Promise<void>,
): Promise<void> {
  const servers = new Map<ServerName, Child>();
  try {
    for (const [name, args] of starts)
      servers.set(name, await Child.start({ script: "server.mjs", args, profileFolder }));
    await use(servers);
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

/** Sends a request of the preparation, and gives the body of the answer. */
export async function call(port: number, path: string, json?: string): Promise<Buffer> {
  const sent =
    json === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: json };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, sent);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.toString().slice(0, 300)}`);
  return body;
}

/** Nothing that differs between two servers, so that their exports are the same bytes. */
const BUCKET = `{"type":"currentwindow","client":"bench","hostname":"bench","created":"2024-01-01T00:00:00Z"}`;

export async function createBucket(port: number, bucketId: string): Promise<void> {
  await call(port, `/api/0/buckets/${bucketId}`, BUCKET);
}

/** A server in a process of its own, whatever started it. */
export interface LoadedServer {
  readonly port: number;
  /** How long to warm up before a measurement of some seconds. */
  warmUpSeconds(seconds: number): number;
  /** Microseconds of CPU that the process has used; NaN where that cannot be seen. */
  cpu(): Promise<number>;
}

export interface HttpLoad {
  readonly connections: number;
  readonly seconds: number;
  /** Units of the row in one request. @default 1 */
  readonly unitsPerRequest?: number;
  /** Rate by bytes of the answers, in MB/s, instead. @default false */
  readonly byBytes?: boolean;
  /** Whether to watch memory and event loop; it costs a timer every millisecond. @default false */
  readonly watch?: boolean;
  next(connection: number): Outgoing;
}

/**
 * Loads a server for a while and measures it, after a warm-up over the same connections.
 *
 * @throws TypeError when a server is to be watched that takes no commands
 */
export async function measureHttp(server: LoadedServer, options: HttpLoad): Promise<Measurement> {
  const { connections, seconds, unitsPerRequest = 1, byBytes = false, watch = false, next } = options;
  const watched = watch ? watchable(server) : undefined;
  const load = await Load.open(server.port, connections, next);
  try {
    if (watched) await watched.ask("watch");
    else await load.run(server.warmUpSeconds(seconds));
    const cpuBefore = await server.cpu();
    const result = await load.run(seconds);
    const cpu = (await server.cpu()) - cpuBefore;
    const units = byBytes ? result.bodyBytes / 1e6 : result.requests * unitsPerRequest;
    return {
      rate: units / result.seconds,
      cpuMicros: cpu / result.requests,
      p50Millis: quantile(result.latencies, 0.5),
      p99Millis: quantile(result.latencies, 0.99),
      clientCpu: result.clientCpu,
      ...(watched && { notes: watchNotes(await watched.ask("watched")) }),
    };
  } finally {
    load.close();
  }
}

function watchable(server: LoadedServer): Child {
  if (server instanceof Child) return server;
  throw new TypeError("only a child of the bench can be watched");
}

export function watchNotes({ longestBlockMillis, rssBefore, rssPeak }: Watched): Record<string, number> {
  return { "block ms": longestBlockMillis, "growth MB": (rssPeak - rssBefore) / 1e6 };
}
