// What readers of the feed cost a server in a process of its own: 100 buckets get 2,000 heartbeats a second over HTTP, then
// as many as possible, with 0, 1 and 500 readers. Times are those of the server's processor, not of a clock.
//
//   node --expose-gc --import tsx bench/feed.ts [SECONDS] [ROUNDS]
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { memory } from "../adapters/memory.js";
import { createActivityServer } from "../src/index.js";

const COUNTS = [0, 1, 500];
const BUCKETS = 100;
const RATE = 2000;
const CONNECTIONS = 64;
const [seconds = 5, rounds = 3] = process.argv.slice(2).map(Number);

/** Answers each message with its state. */
async function serve(): Promise<void> {
  const server = createActivityServer({ storage: memory(), logger: false });
  for (let at = 0; at < BUCKETS; at++) await server.buckets.create(`b${at}`, { client: "c", type: "t", hostname: "h" });
  const { port } = await server.listen({ port: 0, connections: { total: 2000 } });
  process.on("message", async (message) => {
    const begin = performance.now();
    if (message === "close") await server.close();
    const millis = performance.now() - begin;
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ micros: user + system, rss, heapUsed, millis });
    if (message === "close") process.disconnect();
  });
  process.send?.(port);
}

interface State {
  /** Processor time. */
  readonly micros: number;
  readonly rss: number;
  readonly heapUsed: number;
  /** What the message took. */
  readonly millis: number;
}

class Load {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  readonly #port: number;
  #sent = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async read(): Promise<void> {
    const request = http.get({ port: this.#port, path: "/api/0/feed", agent: false });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    response.on("error", () => undefined).resume();
  }

  /** @returns heartbeats */
  async beat(millis: number, rate: number): Promise<number> {
    const begin = performance.now();
    const first = this.#sent;
    const workers = Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        const elapsed = performance.now() - begin;
        if (elapsed > millis) return;
        if (this.#sent - first < (elapsed / 1000) * rate) await this.#beat(this.#sent++);
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await Promise.all(workers);
    return this.#sent - first;
  }

  async #beat(number: number): Promise<void> {
    const timestamp = new Date(1.7e12 + number * 10).toISOString();
    const body = JSON.stringify({ timestamp, duration: 0, data: { app: "editor", title: "notes.md" } });
    const request = http.request({
      ...{ port: this.#port, agent: this.#agent, method: "POST" },
      path: `/api/0/buckets/b${number % BUCKETS}/heartbeat?pulsetime=60`,
      headers: { "content-type": "application/json", "content-length": body.length },
    });
    request.end(body);
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`a heartbeat got ${response.statusCode}`);
    await once(response.resume(), "end");
  }
}

/** Starts a server. @returns its load, and how to ask it */
async function start(flags: readonly string[] = []): Promise<{ load: Load; ask: (what: string) => Promise<State> }> {
  const execArgv = [...process.execArgv, ...flags];
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv });
  const [port] = (await once(child, "message")) as [number];
  const ask = async (what: string): Promise<State> => {
    child.send(what);
    return (await once(child, "message"))[0] as State;
  };
  return { load: new Load(port), ask };
}

/** @returns heartbeats a second, processor time of one in microseconds, and how many the processor manages a second */
async function measure(readers: number): Promise<number[]> {
  const { load, ask } = await start();
  await load.beat(2000, RATE);
  for (let at = 0; at < readers; at++) await load.read();
  await load.beat(1000, RATE);
  const [first, fixed] = [await ask("state"), await load.beat(seconds * 1000, RATE)];
  const [middle, full] = [await ask("state"), await load.beat(seconds * 1000, Number.POSITIVE_INFINITY)];
  const last = await ask("state");
  const { millis } = await ask("close");
  const [atRate, atFull] = [middle.micros - first.micros, last.micros - middle.micros];
  return [fixed / seconds, atRate / fixed, (full / atFull) * 1e6, millis];
}

/** The young generation has a fixed size here: else its growth, which any work causes, counts for the readers. */
async function memoryOf(readers: number): Promise<string> {
  const { load, ask } = await start(["--max-semi-space-size=1"]);
  for (let at = 0; at < readers / 10; at++) await load.read();
  await load.beat(2000, RATE);
  const before = await ask("state");
  for (let at = 0; at < readers; at++) await load.read();
  await load.beat(2000, RATE);
  const after = await ask("state");
  await ask("close");
  const kilobytes = (of: "rss" | "heapUsed"): string => ((after[of] - before[of]) / readers / 1000).toFixed(1);
  return `each of ${readers} readers takes ${kilobytes("rss")} kB, ${kilobytes("heapUsed")} kB of them in the heap`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

if (process.argv[2] === "serve") await serve();
else {
  const all = new Map<number, number[][]>(COUNTS.map((count) => [count, []]));
  for (let round = 0; round < rounds; round++) {
    for (const count of COUNTS) all.get(count)?.push(await measure(count));
  }
  const medians = COUNTS.map((count) =>
    [0, 1, 2, 3].map((at) => median((all.get(count) ?? []).map((row) => row[at] ?? 0))),
  );
  console.log(
    "readers: heartbeats/s (ratio), their processor time (ratio), heartbeats per processor second (ratio), close()",
  );
  for (const [index, row] of medians.entries()) {
    const [rate, micros, full] = row.map(
      (value, at) => `${Math.round(value)} (${(value / (medians[0]?.[at] ?? 1)).toFixed(2)})`,
    );
    console.log(`${COUNTS[index]}: ${rate}, ${micros} µs, ${full}, ${Math.round(row[3] ?? 0)} ms`);
  }
  console.log(await memoryOf(500));
  process.exit();
}
