import { type Measurement, quantile } from "../measure.js";
import { Connection, type Outgoing } from "./connection.js";

/** The result of some seconds of load, as the client saw it. */
export interface LoadResult {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly seconds: number;
  /** Milliseconds, ascending. */
  readonly latencies: Float64Array;
}

/** Connections that each send the next request when the last one has its response. */
export class Load {
  readonly #connections: readonly Connection[];
  readonly #next: (connection: number) => Outgoing;

  private constructor(connections: readonly Connection[], next: (connection: number) => Outgoing) {
    this.#connections = connections;
    this.#next = next;
  }

  /** @param next returns a connection's next request; its bytes may change after the response */
  static async open(port: number, count: number, next: (connection: number) => Outgoing): Promise<Load> {
    const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
    return new Load(connections, next);
  }

  /** Keeps every connection busy for a time and waits for the last responses. Each sends at least one request. */
  async run(seconds: number): Promise<LoadResult> {
    const latencies: number[] = [];
    let bodyBytes = 0;
    const start = performance.now();
    const until = start + seconds * 1000;
    const drive = (connection: Connection, index: number): Promise<void> =>
      new Promise((resolve, reject) => {
        let sentAt = 0;
        const send = (): void => {
          const outgoing = this.#next(index);
          sentAt = performance.now();
          connection.send(outgoing, onAnswer);
        };
        const onAnswer = (error: Error | undefined): void => {
          if (error) {
            reject(error);
            return;
          }
          const now = performance.now();
          latencies.push(now - sentAt);
          bodyBytes += connection.answer.bodyBytes;
          if (now < until) send();
          else resolve();
        };
        send();
      });
    await Promise.all(this.#connections.map(drive));
    const took = (performance.now() - start) / 1000;
    return { requests: latencies.length, bodyBytes, seconds: took, latencies: Float64Array.from(latencies).sort() };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** A load and the unit of its rate. */
export interface HttpLoad {
  readonly connections: number;
  /** Units of the row in one request. @default 1 */
  readonly unitsPerRequest?: number;
  /** Whether the rate is response bytes in MB/s instead. @default false */
  readonly byBytes?: boolean;
  /** Whether to watch memory and event loop, without a warm-up; this needs a timer every millisecond. @default false */
  readonly watch?: boolean;
  next(connection: number): Outgoing;
}

/** A running server, whatever started it. */
export interface LoadedServer {
  readonly port: number;
  /** Whether it takes the commands `watch` and `watched`. */
  readonly isWatched: boolean;
  /** Length of a warm-up before a measurement of some seconds. */
  warmUpSeconds(seconds: number): number;
  /** Microseconds of CPU so far; NaN where it is not known. */
  cpu(): number;
  ask<Value>(name: string): Promise<Value>;
}

/** Loads a server for a time and measures it, after a warm-up over the same connections. */
export async function measureHttp(server: LoadedServer, load: HttpLoad, seconds: number): Promise<Measurement> {
  const watch = load.watch === true && server.isWatched;
  const open = await Load.open(server.port, load.connections, load.next);
  try {
    if (watch) await server.ask("watch");
    else await open.run(server.warmUpSeconds(seconds));
    const cpuBefore = server.cpu();
    const result = await open.run(seconds);
    const cpu = server.cpu() - cpuBefore;
    const notes = watch ? { notes: await server.ask<Record<string, number>>("watched") } : {};
    return { ...measurementOf(result, load), cpuMicros: cpu / result.requests, ...notes };
  } finally {
    open.close();
  }
}

/** The numbers that the client alone knows. */
export function measurementOf(result: LoadResult, load: Pick<HttpLoad, "byBytes" | "unitsPerRequest">): Measurement {
  const units = load.byBytes ? result.bodyBytes / 1e6 : result.requests * (load.unitsPerRequest ?? 1);
  const [p50Millis, p99Millis] = [quantile(result.latencies, 0.5), quantile(result.latencies, 0.99)];
  return { rate: units / result.seconds, cpuMicros: Number.NaN, p50Millis, p99Millis };
}

/** Sends a request that prepares a row. @returns the body of the response */
export async function call(port: number, path: string, json?: string): Promise<Buffer> {
  const sent =
    json === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: json };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, sent);
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok && response.status !== 304) {
    throw new Error(`${path} answered ${response.status}: ${body.toString().slice(0, 300)}`);
  }
  return body;
}

/** The same record everywhere, so that exports of two servers are the same bytes. */
const BUCKET = { client: "bench", hostname: "bench", created: "2024-01-01T00:00:00Z" };

export async function createBucket(port: number, bucketId: string, type = "currentwindow"): Promise<void> {
  await call(port, `/api/0/buckets/${bucketId}`, JSON.stringify({ type, ...BUCKET }));
}

/** Inserts events of a bucket, 1,000 in each request. */
export async function insertAll(port: number, bucketId: string, bodies: Iterable<Buffer>): Promise<void> {
  for (const body of bodies) await call(port, `/api/0/buckets/${bucketId}/events`, String(body));
}
