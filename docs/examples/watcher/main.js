import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { createClient } from "activity-server/client";
import { createHeartbeatQueue } from "activity-server/queue";

const SECONDS = 10;
const folder = path.resolve(process.argv[2] ?? ".");
const { ACTIVITY_SERVER_URL: url = "http://127.0.0.1:5600", ACTIVITY_SERVER_API_KEY: apiKey = "" } = process.env;
const queue = createHeartbeatQueue({
  client: createClient({ url, apiKey }),
  bucketId: `git-branch_${hostname()}`,
  bucket: { type: "git.branch", client: "git-branch-watcher", hostname: hostname() },
  pulsetime: 2.5 * SECONDS,
  commitInterval: 6 * SECONDS,
  path: "git-branch.queue",
  flushOnExit: true,
  onWarning: ({ message }) => console.warn(message),
});

async function beat() {
  const head = await readFile(path.join(folder, ".git/HEAD"), "utf8");
  const branch = /^ref: refs\/heads\/(.+)/.exec(head)?.[1] ?? head.slice(0, 12);
  await queue.heartbeat({ data: { folder, branch } });
}
const report = () => beat().catch(({ message }) => console.warn(`no branch to report: ${message}`));

setInterval(report, SECONDS * 1000);
await report();
console.log(`reporting the branch of ${folder} to ${url}`);
