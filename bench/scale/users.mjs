// A node with many users in it, for bench/scale/simulation.ts: plain JavaScript on the built package.
// node bench/scale/users.mjs URL
import { createActivityServer } from "activity-server";
import { postgres } from "activity-server/postgres";
import pg from "pg";
import { answerParent } from "../probe.mjs";

const HEADERS = { host: "127.0.0.1:5600", "content-type": "application/json" };
const ORIGIN = "http://127.0.0.1:5600/api/0/buckets";
/** Short, so that beats come one after another, as those of many machines do. */
const TICK_MILLIS = 1;
/** How often somebody does something else: other beats merge. */
const CHANGES = 0.1;
/** A window watcher every second, an idle watcher every fifth. */
const WATCHERS = ["window", "window", "window", "window", "window", "afk"];

const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
let servers = [];
let users = [];

answerParent(
  {
    /** Makes users, each with a namespace, or all in one. */
    async prepare({ count, isShared, name }) {
      await Promise.all(servers.map((server) => server.close()));
      const namespaces = isShared ? [name] : Array.from({ length: count }, (_, user) => `${name} ${user}`);
      servers = namespaces.map((namespace) => createActivityServer({ storage: postgres({ pool, namespace }) }));
      users = Array.from({ length: count }, (_, user) => ({
        server: servers[user % servers.length],
        prefix: `user-${user}`,
        title: 0,
        seconds: 1_750_000_000,
      }));
      for (let from = 0; from < count; from += 20) {
        await Promise.all(users.slice(from, from + 20).flatMap((user) => [make(user, "window"), make(user, "afk")]));
      }
    },
    drive,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await pool.end();
    },
  },
  "ready",
);

function make({ server, prefix }, watcher) {
  const bucket = { client: "bench", type: watcher, hostname: "bench" };
  return post(server, `${prefix}-${watcher}`, bucket);
}

async function post(server, path, body) {
  const init = { method: "POST", headers: HEADERS, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`${ORIGIN}/${path}`, init));
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

/** Sends beats at a rate, whether answers have come or not. */
async function drive({ beatsPerSecond, seconds }) {
  const latencies = [];
  const under = [];
  const started = performance.now();
  const cpu = process.cpuUsage();
  for (let sent = 0; performance.now() - started < seconds * 1000; ) {
    const due = ((performance.now() - started) / 1000) * beatsPerSecond;
    for (; sent < due; sent++) under.push(timed(sent, latencies));
    await new Promise((resolve) => setTimeout(resolve, TICK_MILLIS));
  }
  await Promise.all(under);
  const { user, system } = process.cpuUsage(cpu);
  const took = (performance.now() - started) / 1000;
  return { seconds: took, latencies: Float64Array.from(latencies).sort(), cpuMicros: user + system };
}

async function timed(turn, latencies) {
  const user = users[turn % users.length];
  const watcher = WATCHERS[Math.floor(turn / users.length) % WATCHERS.length];
  if (Math.random() < CHANGES) user.title++;
  const timestamp = new Date(user.seconds++ * 1000).toISOString();
  const data = watcher === "afk" ? { status: "not-afk" } : { app: "Code", title: `file ${user.title}` };
  const sentAt = performance.now();
  await post(user.server, `${user.prefix}-${watcher}/heartbeat?pulsetime=60`, { timestamp, duration: 0, data });
  latencies.push(performance.now() - sentAt);
}
