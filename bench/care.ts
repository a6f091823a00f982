// How long care of the data takes, and how long it holds up everything else: merging, privacy rules over the past,
// deletions by filter, and what takes them back.
//
//   node --import tsx bench/care.ts [--events N] [--storage NAME] [case ...]
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";
import { leveldb } from "../adapters/leveldb/index.js";
import { memory } from "../adapters/memory.js";
import { postgres } from "../adapters/postgres/index.js";
import { unstorage } from "../adapters/unstorage/index.js";
import { type ActivityServer, createActivityServer, micros } from "../src/index.js";
import type { Storage } from "../src/storage/storage.js";
import { startPostgres } from "../test/postgres/server.js";
import { positive, runCommand } from "./command.js";
import { seededRandom } from "./data.js";

const USAGE = "node --import tsx bench/care.ts [--events N] [--storage NAME] [case ...]";
/** Without `--storage` the first two. */
const STORAGES: readonly string[] = ["leveldb", "memory", "encrypted", "unstorage", "postgres"];
const START = Date.UTC(2024, 0, 1) * 1000;
const SECOND = 1_000_000;
const APPS = ["firefox", "code", "terminal", "mail", "slack", "player"];
/** One event of so many is about what filters and rules look for: 20,000 of a million. */
const RARE = 50;
/** Set in the environment of a process that measures. */
const CHILD = "CARE_BENCH_CHILD";

/** One that measures what it does step by step. */
type Case = (server: ActivityServer, events: number, measured: Measured) => Promise<void>;
type Measured = <T>(what: string, work: () => Promise<T>) => Promise<T>;

const CASES: Readonly<Record<string, Case>> = {
  "merge keep-both": merging("keep-both"),
  "merge cut-older": merging("cut-older"),
  "merge first-wins": merging("first-wins"),
  async delete(server, events, measured) {
    await fill(server, "window_desk", events);
    const filter = { filter: ["title~thesis"] };
    await measured("delete by filter", () => server.events.deleteMatching("window_desk", filter));
    const [entry] = await server.trash.list();
    if (entry === undefined) throw new Error("nothing was deleted");
    await measured("restore", () => server.trash.restore(entry.id));
    await measured("delete for good", () =>
      server.events.deleteMatching("window_desk", { ...filter, permanent: true }),
    );
  },
  async privacy(server, events, measured) {
    await fill(server, "window_desk", events);
    const rules = [
      { when: { key: "title", matches: "(?i)thesis" }, then: { redact: { keys: ["title"] } } },
      { when: { key: "title", matches: "^Ticket 1\\d\\d$" }, then: "drop" },
    ] as const;
    const { buckets } = await measured("privacy apply", () => server.privacy.apply({ rules }));
    const undo = buckets[0]?.undo;
    if (typeof undo !== "string") throw new Error("nothing was changed");
    await measured("privacy undo", () => server.identity.undo(undo));
  },
};

function merging(overlaps: "keep-both" | "cut-older" | "first-wins"): Case {
  return async (server, events, measured) => {
    await fill(server, "window_laptop", events / 2);
    await fill(server, "window_desk", events / 2, 1);
    const { undo } = await measured("merge", () =>
      server.identity.merge("window_laptop", { from: ["window_desk"], overlaps }),
    );
    if (undo === null) throw new Error("the merging cannot be undone");
    await measured("undo", () => server.identity.undo(undo));
  };
}

/** Events that follow each other; those of another seed overlap them. */
async function fill(server: ActivityServer, id: string, count: number, seed = 0): Promise<void> {
  await server.buckets.create(id, { type: "currentwindow", client: "bench", hostname: "desk" });
  const random = seededRandom(seed + 1);
  for (let from = 0; from < count; from += 10_000) {
    const events = Array.from({ length: Math.min(10_000, count - from) }, (_, index) => {
      const at = from + index;
      const title = at % RARE === 7 ? `Thesis draft ${at % 40}` : `Ticket ${Math.floor(random() * 4000)}`;
      const timestamp = START + at * 20 * SECOND + seed * 7 * SECOND + Math.floor(random() * SECOND);
      const duration = { seconds: 5 + Math.floor(random() * 12) };
      return {
        timestamp: micros(timestamp),
        duration,
        data: { app: APPS[Math.floor(random() * APPS.length)] as string, title },
      };
    });
    await server.events.insert(id, events);
  }
}

/** Watches for how long the event loop does not turn. */
class LoopWatch {
  #wallMillis = 0;
  #busyMillis = 0;
  #last = performance.now();
  #lastBusy = threadMillis();
  readonly #timer = setInterval(() => this.#look(), 1);

  stop(): { readonly wallMillis: number; readonly busyMillis: number } {
    clearInterval(this.#timer);
    this.#look();
    return { wallMillis: this.#wallMillis, busyMillis: this.#busyMillis };
  }

  #look(): void {
    const [now, busy] = [performance.now(), threadMillis()];
    this.#wallMillis = Math.max(this.#wallMillis, now - this.#last);
    this.#busyMillis = Math.max(this.#busyMillis, busy - this.#lastBusy);
    this.#last = now;
    this.#lastBusy = busy;
  }
}

/** What the main thread has used of a processor. Elsewhere than on Linux it is not known: the time stands for it. */
function threadMillis(): number {
  if (process.platform !== "linux") return performance.now();
  return Number(readFileSync("/proc/self/schedstat", "latin1").split(" ", 1)[0]) / 1e6;
}

function row(cells: readonly string[], millis: readonly number[]): void {
  const all = [...cells, ...millis.map((value) => value.toFixed(0))];
  console.log(`| ${all.map((cell, at) => (at < 3 ? cell.padEnd(16) : cell.padStart(9))).join(" | ")} |`);
}

/** One storage and one case, in a process of its own. */
async function runCase(storage: string, name: string, events: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "care-bench-"));
  const { opened, finish } = await openStorage(storage, folder);
  const server = createActivityServer({ storage: opened });
  const measured: Measured = async (what, work) => {
    const watch = new LoopWatch();
    const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpuBegan);
    const { wallMillis, busyMillis } = watch.stop();
    const peak = process.resourceUsage().maxRSS / 1024;
    row([storage, name, what, seconds.toFixed(1), ((user + system) / 1e6).toFixed(1)], [busyMillis, wallMillis, peak]);
    return result;
  };
  await CASES[name]?.(server, events, measured);
  await server.close();
  await finish();
  await rm(folder, { recursive: true });
}

/** @throws Error where there is no PostgreSQL */
async function openStorage(
  name: string,
  path: string,
): Promise<{ readonly opened: Storage; readonly finish: () => Promise<unknown> }> {
  const finish = async (): Promise<void> => undefined;
  if (name === "memory") return { opened: memory(), finish };
  if (name === "leveldb") return { opened: leveldb({ path }), finish };
  if (name === "encrypted") return { opened: leveldb({ path, encryption: { key: randomBytes(32) } }), finish };
  if (name === "unstorage") {
    return { opened: unstorage({ storage: createStorage({ driver: fsLiteDriver({ base: path }) }) }), finish };
  }
  const server = await startPostgres({ fsync: true });
  if (server === undefined) throw new Error("PostgreSQL is not installed");
  return { opened: postgres({ connectionString: server.url }), finish: () => server.remove() };
}

interface Command {
  readonly events: number;
  readonly storages: readonly string[];
  readonly cases: readonly string[];
}

/** @throws TypeError for arguments that cannot be meant */
function parse(): Command {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { events: { type: "string", default: "1000000" }, storage: { type: "string" } },
  });
  const storages =
    values.storage === undefined ? STORAGES.slice(0, 2) : STORAGES.filter((name) => name === values.storage);
  if (storages.length === 0)
    throw new TypeError(`--storage is ${values.storage}; ${STORAGES.join(" or ")} is expected`);
  const unknown = positionals.find((name) => CASES[name] === undefined);
  if (unknown !== undefined) throw new TypeError(`${unknown} is no case; there are ${Object.keys(CASES).join(", ")}`);
  const cases = positionals.length === 0 ? Object.keys(CASES) : positionals;
  return { events: positive("events", values.events), storages, cases };
}

async function runAll({ events, storages, cases }: Command): Promise<void> {
  row(["storage", "case", "step", "seconds", "CPU s", "hold ms", "wall ms", "peak MB"], []);
  row(["---", "---", "---", "--:", "--:", "--:", "--:", "--:"], []);
  for (const storage of storages) {
    for (const name of cases) {
      const child = fork(fileURLToPath(import.meta.url), [], { env: { ...process.env, [CHILD]: "1" } });
      child.send({ storage, name, events });
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) throw new Error(`${name} on ${storage} ended with code ${code}`);
    }
  }
}

if (process.env[CHILD] === undefined) await runCommand(parse, USAGE, runAll);
else {
  const [{ storage, name, events }] = (await once(process, "message")) as [
    { readonly storage: string; readonly name: string; readonly events: number },
  ];
  await runCase(storage, name, events);
  process.disconnect();
}
