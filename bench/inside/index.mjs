// Calls the built package, or its floor, in its own process. Started by bench/inside.ts with an IPC channel.
// node bench/inside/index.mjs KIND [FOLDER, SOCKET or URL]
// KIND: memory, leveldb, leveldb-encrypted, postgres, unstorage-DRIVER, memory-floor, leveldb-floor or postgres-floor
import { performance } from "node:perf_hooks";
import { answerParent, startWatch, stopWatch } from "../probe.mjs";
import { openFloor } from "./floor.mjs";
import { openOurs } from "./ours.mjs";

const [kind, place] = process.argv.slice(2);
const subject = await (kind.endsWith("-floor") ? openFloor(kind, place) : openOurs(kind, place));

answerParent(
  {
    load: (given) => subject.load(given),
    fill: (bucketId) => subject.fill(bucketId),
    answer: (path) => subject.answer(path),
    close: () => subject.close(),
    run,
  },
  kind,
);

/** Prepares an operation of the subject, warms it up unless it is watched, and measures it. */
async function run({ operation, argument, callers, seconds, warmUpSeconds, most = Number.POSITIVE_INFINITY, watch }) {
  const { work, end, notes } = await subject[operation](argument);
  globalThis.gc();
  if (warmUpSeconds > 0) await drive({ work, callers, seconds: warmUpSeconds, most: most / 10 });
  if (watch) await startWatch();
  const cpu = process.cpuUsage();
  const result = await drive({ work, callers, seconds, most });
  const { user, system } = process.cpuUsage(cpu);
  const watched = watch ? await stopWatch() : undefined;
  await end?.();
  return { ...result, cpuMicros: user + system, watched, notes: notes?.() };
}

/** Callers that each call again as soon as their last call has resolved. */
async function drive({ work, callers, seconds, most }) {
  const latencies = [];
  let bodyBytes = 0;
  let left = most;
  const start = performance.now();
  const until = start + seconds * 1000;
  async function call(caller) {
    let now = start;
    do {
      left--;
      const sentAt = performance.now();
      bodyBytes += (await work(caller)) ?? 0;
      now = performance.now();
      latencies.push(now - sentAt);
    } while (now < until && left > 0);
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const took = (performance.now() - start) / 1000;
  return { calls: latencies.length, bodyBytes, seconds: took, latencies: Float64Array.from(latencies).sort() };
}
