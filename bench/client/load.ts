import { performance } from "node:perf_hooks";
import { Connection, type Outgoing } from "./connection.js";

/** What a stretch of load showed, as the client saw it. */
export interface LoadResult {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly seconds: number;
  /** Milliseconds, ascending. */
  readonly latencies: Float64Array;
  /** Share of one core that this process used, in percent. */
  readonly clientCpu: number;
}

/** Connections that send one request after the other, each as soon as the last one is answered. */
export class Load {
  readonly #connections: readonly Connection[];
  readonly #next: (connection: number) => Outgoing;

  private constructor(connections: readonly Connection[], next: (connection: number) => Outgoing) {
    this.#connections = connections;
    this.#next = next;
  }

  /** @param next gives the request that a connection sends next; its bytes may change after the answer */
  static async open(port: number, count: number, next: (connection: number) => Outgoing): Promise<Load> {
    const connections = await Promise.all(Array.from({ length: count }, () => Connection.open(port)));
    return new Load(connections, next);
  }

  /** Keeps every connection busy for a time and waits for the last answers. Sends one request each at least. */
  async run(seconds: number): Promise<LoadResult> {
    const latencies: number[] = [];
    let bodyBytes = 0;
    const cpu = process.cpuUsage();
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
    const millis = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return {
      requests: latencies.length,
      bodyBytes,
      seconds: millis / 1000,
      latencies: Float64Array.from(latencies).sort(),
      clientCpu: (user + system) / 10 / millis,
    };
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** The value below which a share of an ascending list lies. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}
