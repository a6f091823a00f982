// Heartbeats with 0, 1 and 500 readers of the feed, in one process and one run: rates, memory and closing time.
//
//   node --expose-gc --import tsx bench/feed.ts [SECONDS]
import { once } from "node:events";
import http from "node:http";
import { memory } from "../adapters/memory.js";
import { createActivityServer } from "../src/index.js";

const BUCKETS = 100;
const SECONDS = Number(process.argv[2] ?? 5);

const server = createActivityServer({ storage: memory(), logger: false });
for (let at = 0; at < BUCKETS; at++) {
  await server.buckets.create(`b${at}`, { client: "bench", type: "t", hostname: "h" });
}
const { port } = await server.listen({ port: 0, connections: { total: 2000 } });
const readers: http.IncomingMessage[] = [];

async function addReaders(count: number): Promise<void> {
  for (let at = readers.length; at < count; at++) {
    const request = http.get({ port, path: "/api/0/feed", agent: false });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    // A truncated response is not an error here.
    response.on("error", () => undefined).resume();
    readers.push(response);
  }
}

let time = 1.7e12;

/** As many heartbeats as are possible, all extending events. @returns heartbeats a second */
async function measure(): Promise<number> {
  const end = performance.now() + SECONDS * 1000;
  let beats = 0;
  const begin = performance.now();
  while (performance.now() < end) {
    time += 1000;
    const timestamp = new Date(time);
    const sent = Array.from({ length: BUCKETS }, (_, at) =>
      server.heartbeat(`b${at}`, { timestamp, data: { app: "editor" } }, "60s"),
    );
    await Promise.all(sent);
    beats += BUCKETS;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return (beats / (performance.now() - begin)) * 1000;
}

/** Of the server and of its readers, which are in this process. */
function usedBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

await measure();
const rates: Record<number, number> = {};
for (const count of [0, 1, 500]) {
  const before = usedBytes();
  const had = readers.length;
  await addReaders(count);
  const kilobytes = (usedBytes() - before) / 1000 / Math.max(1, count - had);
  rates[count] = await measure();
  const ratio = (rates[count] as number) / (rates[0] as number);
  console.log(
    `${count} readers: ${Math.round(rates[count] as number)} heartbeats/s (${ratio.toFixed(2)}), ${kilobytes.toFixed(1)} kB for each`,
  );
}
const begin = performance.now();
await server.close();
console.log(`closed in ${Math.round(performance.now() - begin)} ms`);
