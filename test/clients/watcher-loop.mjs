// A manual check: watchers as people run them, for minutes of real time, against the real launcher on LevelDB. Then
// every stored event is compared with what follows from the reports that were made, before and after a restart.
//
//   npm run build && node test/clients/watcher-loop.mjs [--minutes 10] [--seed 1] [--venv FOLDER] [--keep]
//
// Needs Python 3 and the package registries, once: the window, idle and input watchers are on the client from PyPI. The
// browser extension is played by requests with its origin, the editor plugin by the client from npm.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AWClient } from "aw-client";
import { watchBrowser, watchEditor } from "./browser-watcher.mjs";
import { differencesOf, foldBeats, spansOf } from "./expected-events.mjs";
import { launch } from "./launch.mjs";
import { preparePython } from "./python/environment.mjs";

const PYTHON_WATCHERS = ["window", "idle", "input"];
const WATCHERS_PY = fileURLToPath(new URL("./python/watchers.py", import.meta.url));
const READ_EVERY_MILLIS = 10_000;
const DIFFERENCES_SHOWN = 5;

/** Random numbers below 1, the same ones for the same seed. */
function seededChance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function getJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

const eventsUrl = (url, bucket) => `${url}/api/0/buckets/${encodeURIComponent(bucket)}/events`;

/** Reads like a page that is left open: all buckets, today. */
async function readNowAndThen(url, signal) {
  let reads = 0;
  while (!signal.aborted) {
    const end = new Date().toISOString();
    const start = new Date(Date.now() - 86_400_000).toISOString();
    const buckets = Object.keys(await getJson(`${url}/api/0/buckets/`));
    await Promise.all(buckets.map((id) => getJson(`${eventsUrl(url, id)}?start=${start}&end=${end}&limit=-1`)));
    reads += 1 + buckets.length;
    await pause(READ_EVERY_MILLIS, undefined, { signal }).catch(() => undefined);
  }
  return reads;
}

async function runWatchers({ url, port, python, seconds, seed, folder }) {
  const entries = [];
  const record = (entry) => void entries.push(entry);
  const stopReading = new AbortController();
  const reading = readNowAndThen(url, stopReading.signal);
  const client = new AWClient("loop-editor", { baseURL: url });
  const logs = PYTHON_WATCHERS.map((kind) => path.join(folder, `${kind}.jsonl`));
  const processes = PYTHON_WATCHERS.map((kind, index) =>
    python.start(WATCHERS_PY, [kind, String(port), String(seconds), String(seed), logs[index]]),
  );
  try {
    await Promise.all([
      watchBrowser({ url, seconds, chance: seededChance(seed), record }),
      watchEditor({ client, seconds, chance: seededChance(seed + 1), record }),
      ...processes.map(async ({ exited }, index) => {
        const { code, signal } = await exited;
        if (code !== 0) throw new Error(`the ${PYTHON_WATCHERS[index]} watcher ended with ${code ?? signal}`);
      }),
    ]);
  } finally {
    stopReading.abort();
    for (const { child } of processes) child.kill();
  }
  console.log(`${await reading} reads beside the watchers, all answered`);
  for (const log of logs) {
    for (const line of fs.readFileSync(log, "utf8").trim().split("\n")) entries.push(JSON.parse(line));
  }
  return entries;
}

/** Sorts what was recorded by bucket, in the order in which it happened. */
function byBucket(entries) {
  const buckets = new Map();
  const of = (id) => {
    if (!buckets.has(id)) buckets.set(id, { beats: [], sent: [], refused: [] });
    return buckets.get(id);
  };
  for (const entry of entries) {
    if (entry.kind === "beat") {
      of(entry.bucket).beats.push(entry);
      continue;
    }
    const [, id, pulsetime] = /^buckets\/([^/]+)\/heartbeat\?pulsetime=(.+)$/.exec(entry.endpoint) ?? [];
    // The other requests create buckets.
    if (id === undefined) continue;
    const list = entry.status === 200 ? of(id).sent : of(id).refused;
    list.push({ ...entry, pulsetime: Number(pulsetime) });
  }
  return buckets;
}

/** Compares every bucket; returns the number of faults. */
async function verify(title, url, buckets) {
  console.log(`\n${title}`);
  let faults = 0;
  const rows = [];
  for (const [bucket, { beats, sent, refused }] of buckets) {
    const stored = await getJson(`${eventsUrl(url, bucket)}?limit=-1`);
    const count = await getJson(`${eventsUrl(url, bucket)}/count`);
    const spans = spansOf(stored);
    // What was sent says what must be stored; what was reported says whether the clients' own merging changes anything.
    const bySent = differencesOf(foldBeats(sent), spans);
    const byBeats = differencesOf(foldBeats(beats), spans);
    const ids = new Set(stored.map(({ id }) => id));
    const odd = [
      ...bySent.map((line) => `${bucket}, by requests: ${line}`),
      ...byBeats.map((line) => `${bucket}, by reports: ${line}`),
      ...refused.map(({ status, answer }) => `${bucket}: a heartbeat was answered ${status}: ${answer}`),
      ...(count === stored.length ? [] : [`${bucket}: count says ${count}, the list holds ${stored.length}`]),
      ...(ids.size === stored.length ? [] : [`${bucket}: ids repeat`]),
    ];
    rows.push({
      bucket,
      reports: beats.length,
      requests: sent.length,
      refused: refused.length,
      expected: foldBeats(beats).length,
      stored: stored.length,
      differences: bySent.length + byBeats.length,
    });
    for (const line of odd.slice(0, DIFFERENCES_SHOWN)) console.log(`FAIL ${line}`);
    faults += odd.length;
  }
  console.table(rows);
  const unknown = Object.keys(await getJson(`${url}/api/0/buckets/`)).filter((id) => !buckets.has(id));
  for (const id of unknown) console.log(`FAIL a bucket nobody made: ${id}`);
  return faults + unknown.length;
}

async function main() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      venv: { type: "string" },
      cli: { type: "string" },
      keep: { type: "boolean", default: false },
    },
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-watchers-"));
  const data = path.join(folder, "data");
  const where = { data, ...(values.cli === undefined ? {} : { cli: path.resolve(values.cli) }) };
  let server;
  try {
    const python = preparePython({ folder, ...(values.venv === undefined ? {} : { venv: path.resolve(values.venv) }) });
    server = await launch(where);
    const seconds = Number(values.minutes) * 60;
    console.log(`${server.url}, ${seconds} s, seed ${values.seed}, PyPI aw-client ${python.clientVersion}`);
    const seed = Number(values.seed);
    const entries = await runWatchers({ url: server.url, port: server.port, python, seconds, seed, folder });
    const buckets = byBucket(entries);
    let faults = await verify("after the loop", server.url, buckets);
    const ended = await server.stop();
    if (ended.code !== 0) {
      console.log(`FAIL the server ended with ${ended.code ?? ended.signal}`);
      faults += 1;
    }
    server = await launch(where);
    faults += await verify("after a restart", server.url, buckets);
    console.log(`${PYTHON_WATCHERS.length + 2} watchers, ${faults} faults`);
    process.exitCode = faults === 0 ? 0 : 1;
  } finally {
    await server?.stop();
    if (values.keep) console.log(`kept ${folder}`);
    else fs.rmSync(folder, { recursive: true, force: true });
  }
}

await main();
