import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Measurement } from "../bench.js";
import type { Child } from "../children.js";
import { Connection } from "../client/connection.js";
import { BEAT_TIME, beat, post, postHead, setTime } from "../client/request.js";
import { exportFile } from "../data.js";
import { measureInside, withInside } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { createBucket, measureHttp, withServers } from "../servers.js";

export const IMPORT_PATH = "/api/0/import";
const WATCHER = "bench-watcher-window_host";
const BEAT_EVERY_MILLIS = 10;
const FIRST_BEAT_SECONDS = 1_750_000_000;
const facts = { workload: "import of 200 k events", connections: 1, unit: "events/s" };

/** How fast the file of 200,000 events comes in, and what that does to a watcher meanwhile. */
export async function importAll(bench: Bench): Promise<void> {
  if (bench.wants("import/http/1")) await overHttp(bench);
  if (bench.wants("import/fetch/1")) await inProcess(bench);
}

async function overHttp(bench: Bench): Promise<void> {
  const { file, keyAt } = exportFile(bench.sample().window);
  let imports = 0;
  await withServers(bench, async (servers) => {
    const entrants = new Map<string, Entrant>();
    for (const [name, server] of servers) {
      if (name !== "floor") await createBucket(server.port, WATCHER);
      const head = postHead(server.port, IMPORT_PATH, file.length);
      const next = (): [Buffer, Buffer] => {
        // Into a bucket of its own each time: the second import of the same bucket would add nothing.
        file.write(String(imports++).padStart(3, "0"), keyAt, "latin1");
        return [head, file];
      };
      const unitsPerRequest = bench.sample().window.length;
      const load = { connections: 1, seconds: 0, unitsPerRequest, watch: true, next };
      entrants.set(name, () => besideBeats(server, () => measureHttp(server, load)));
    }
    await hold(bench, { ...facts, id: "import/http/1", via: "http", entrants });
  });
}

/** Sends a heartbeat every few milliseconds while something is measured, and notes the longest wait. */
async function besideBeats(server: Child, measure: () => Promise<Measurement>): Promise<Measurement> {
  const connection = await Connection.open(server.port);
  const body = `{"timestamp":"${BEAT_TIME}Z","data":{"app":"Code"}}`;
  const watcher = beat(post(server.port, `/api/0/buckets/${WATCHER}/heartbeat?pulsetime=60`, body));
  let longest = 0;
  let over = false;
  const beats = async (): Promise<void> => {
    for (let turn = 0; !over; turn++) {
      setTime(watcher, FIRST_BEAT_SECONDS + turn);
      const sentAt = performance.now();
      await connection.exchange(watcher.bytes);
      longest = Math.max(longest, performance.now() - sentAt);
      await pause(BEAT_EVERY_MILLIS);
    }
  };
  try {
    const beating = beats();
    const measured = await measure();
    over = true;
    await beating;
    return { ...measured, notes: { ...measured.notes, "beat ms": longest } };
  } finally {
    over = true;
    connection.close();
  }
}

async function inProcess(bench: Bench): Promise<void> {
  const events = bench.sample().window;
  const { file, keyAt } = exportFile(events);
  await withInside(bench, async (insides) => {
    const entrants = new Map<string, Entrant>();
    for (const [name, inside] of insides) {
      await inside.ask("load", name.endsWith("floor") ? { events, file } : { file });
      const run = { operation: "importFile", argument: { keyAt }, seconds: 0, unitsPerCall: events.length };
      entrants.set(name, () => measureInside(inside, { ...run, watch: true }));
    }
    await hold(bench, { ...facts, id: "import/fetch/1", via: "fetch", entrants });
  });
}
