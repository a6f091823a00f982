// A watcher for tests that kill it: hands in beats and prints the number of each one that was taken.
//
//   watcher.ts URL FILE [FIRST COUNT]    the beats from FIRST on; FILE may be empty
//   WATCHER_THEN=wait | exit | close     what it does behind the last beat: wait to be killed (the default), have nothing
//                                        left to do, or flush and close the queue
//   WATCHER_THEN=loop | listen           hands in beats without end; with listen, it listens to SIGTERM, and exits on SIGUSR2
//   WATCHER_FLUSH=1                      the queue closes itself at the end of the process
import { createClient } from "../../../src/client/index.js";
import { createHeartbeatQueue } from "../../../src/client/queue/index.js";
import { BUCKET, BUCKET_ID, nthBeat, PULSETIME } from "./beats.js";

const [, , url = "", path = "", first = "0", count = "0"] = process.argv;
const { WATCHER_THEN = "wait", WATCHER_FLUSH = "" } = process.env;
const queue = createHeartbeatQueue({
  client: createClient({ url, timeoutMillis: 5_000 }),
  ...{ bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: PULSETIME, commitInterval: 3 },
  ...(path !== "" && { path }),
  flushOnExit: WATCHER_FLUSH === "1",
  onWarning: ({ code, message }) => {
    if (code !== "UNREACHABLE") console.error(message);
  },
});

/** Waits until a line is out: one that waits in this process dies with it. */
function say(line: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
}

await say("open");
for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const where = await queue.heartbeat(nthBeat(n));
  await say(`${n} ${where}`);
  await new Promise((resolve) => setImmediate(resolve));
}
if (WATCHER_THEN === "close") {
  await queue.flush();
  await queue.close();
}
await say("done");
if (WATCHER_THEN === "loop" || WATCHER_THEN === "listen") {
  let after = Number.NEGATIVE_INFINITY;
  // With once, nobody listens any more when the queue looks for other listeners.
  process[WATCHER_THEN === "loop" ? "once" : "on"]("SIGTERM", () => {
    after = 0;
  });
  process.once("SIGUSR2", () => process.exit(3));
  for (let n = Number(first) + Number(count); ; n++) {
    await queue.heartbeat(nthBeat(n));
    await say(`after ${++after} is ${n}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
if (WATCHER_THEN === "wait") setInterval(() => {}, 60_000);
