// npm run soak: many lives of one server on one folder, under the loads of test/faults (bench/README.md#soak).
import { cpSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { inWorkshop, type Launched, type Workshop } from "../test/cli/launcher.js";
import { intOf, randomOf } from "../test/contract/case.js";
import { Api } from "../test/faults/api.js";
import { listening } from "../test/faults/kill-launcher.js";
import { HeartbeatLoad, type Load, type LoadOptions } from "../test/faults/load.js";
import { LAUNCHER } from "../test/faults/package-under-test.js";
import { allLoads, begunAnew, freshOptions, lossesIn } from "../test/faults/rounds.js";
import { positive, runCommand } from "./command.js";
import { memoryOf } from "./process.js";

const USAGE = "npm run soak -- [--minutes N] [--seed N] [--watchers N] [--kill-every SECONDS]";

/** After so many lives, all is deleted: checks read everything. */
const LIVES_OF_A_STATE = 20;
const STOP_SHARE = 0.2;
const KILL_WHILE_STARTING_SHARE = 0.15;
/** Mean time between two requests of a client. */
const REST_MILLIS = 200;
/** Before a kill, clients write without a rest for up to this. */
const MAX_HURRY_MILLIS = 600;
/** Clients that leave do it before this. */
const MAX_PATIENCE_MILLIS = 60;
/** Its requests never end, so it stays empty. */
const LEFT_BUCKET = "left";

interface Command {
  readonly minutes: number;
  readonly seed: number;
  readonly watchers: number;
  readonly killEvery: number;
}

/** @throws TypeError for invalid arguments */
function parseCommand(): Command {
  const string = { type: "string" } as const;
  const { values } = parseArgs({ options: { minutes: string, seed: string, watchers: string, "kill-every": string } });
  return {
    minutes: positive("minutes", values.minutes ?? "3"),
    seed: positive("seed", values.seed ?? String(1 + (Date.now() % 1_000_000))),
    watchers: positive("watchers", values.watchers ?? "16"),
    killEvery: positive("kill-every", values["kill-every"] ?? "40"),
  };
}

/** Sends requests that it leaves: half a body, which must store nothing, or before the response. */
class LeavingLoad implements Load {
  readonly #random: () => number;

  constructor({ random }: LoadOptions) {
    this.#random = random;
  }

  async step(api: Api): Promise<boolean> {
    const answer = await api.request("POST", `buckets/${LEFT_BUCKET}`, { type: "t", client: "c", hostname: "h" });
    const body = JSON.stringify(new Array(50).fill({ timestamp: "2024-01-01T00:00:00Z", duration: 1, data: { n: 1 } }));
    const path = `/api/0/buckets/${LEFT_BUCKET}/events`;
    const headers = { "content-type": "application/json", "content-length": body.length };
    const isRead = this.#random() < 0.5;
    const sent = isRead
      ? http.get(`${api.url}/api/0/export`)
      : http.request(`${api.url}${path}`, { method: "POST", headers });
    sent.on("error", () => undefined);
    if (!isRead) sent.write(body.slice(0, body.length >> 1));
    await pause(this.#random() * MAX_PATIENCE_MILLIS);
    sent.destroy();
    return answer !== undefined;
  }

  async verify(api: Api): Promise<string | undefined> {
    const answer = await api.request("GET", `buckets/${LEFT_BUCKET}/events/count`);
    return answer?.status === 404 || answer?.body === 0
      ? undefined
      : `half a body was stored: ${JSON.stringify(answer)}`;
  }
}

/** Reads what the others write. `Api` checks the responses, and that there are any. */
class ReadingLoad implements Load {
  readonly #random: () => number;
  #asked = 0;

  constructor({ random }: LoadOptions) {
    this.#random = random;
  }

  async step(api: Api): Promise<boolean> {
    const listed = await api.request("GET", "buckets/");
    const ids = Object.keys((listed?.body as object | undefined) ?? {});
    const id = ids[intOf(this.#random, 0, Math.max(0, ids.length - 1))];
    if (id === undefined) return listed !== undefined;
    const paths = ["events?limit=1", "events?limit=1000", "events/count", "export"];
    const path = `buckets/${id}/${paths[intOf(this.#random, 0, paths.length - 1)]}`;
    const query = [`n = ${this.#asked++};`, `RETURN = merge_events_by_keys(query_bucket("${id}"), ["title"]);`];
    const answers = [
      await api.request("GET", path),
      await api.request("POST", "query", { timeperiods: ["2023-11-01/2023-12-15"], query }),
    ];
    return !answers.includes(undefined);
  }

  async verify(): Promise<undefined> {
    return undefined;
  }
}

function loadsOf(random: () => number, watchers: number): Load[] {
  const options = freshOptions(random);
  const more = Array.from({ length: watchers }, (_, at) => new HeartbeatLoad(`watcher-${at + 1}`, options));
  return [...allLoads(options), ...more, new LeavingLoad(options), ...[1, 2, 3].map(() => new ReadingLoad(options))];
}

async function run({ minutes, seed, watchers, killEvery }: Command): Promise<void> {
  const random = randomOf(seed);
  const until = performance.now() + minutes * 60_000;
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  console.error(`soak: ${minutes} minutes, seed ${seed}`);
  const faults: string[] = [];
  const sums = { lives: 0, kills: 0, "kills while starting": 0, stops: 0, responses: 0 };
  const isOver = (): boolean => faults.length > 0 || performance.now() > until || interrupted.signal.aborted;

  await inWorkshop(async (workshop) => {
    let loads = loadsOf(random, watchers);
    for (;;) {
      if (sums.lives > 0 && random() < KILL_WHILE_STARTING_SHARE) {
        const starting = spawn(workshop);
        await pause(intOf(random, 20, 600));
        starting.kill("SIGKILL");
        await starting.ended;
        sums["kills while starting"]++;
      }
      const server = spawn(workshop);
      const api = new Api((await listening(server)).url);
      faults.push(...(await lossesIn(loads, api, `start ${++sums.lives}`)));
      const isStop = isOver() || random() < STOP_SHARE;
      if (!isOver()) {
        if (sums.lives % LIVES_OF_A_STATE === 0) loads = await begunAnew(api, () => loadsOf(random, watchers));
        faults.push(...(await live(loads, { server, api, random, until: lifeUntil(), isStop })));
        sums[isStop ? "stops" : "kills"]++;
        sums.responses += api.acknowledged;
        continue;
      }
      server.kill("SIGTERM");
      await server.ended;
      break;
    }
    if (faults.length > 0) {
      const kept = join(tmpdir(), `activity-soak-${seed}`);
      cpSync(workshop.path("data"), kept, { recursive: true });
      console.error(`the data is kept in ${kept}`);
    }
  });

  const texts = Object.entries(sums).map(([name, count]) => `${count} ${name}`);
  console.log(`${texts.join(", ")}; ${faults.length} faults (seed ${seed})`);
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;

  function lifeUntil(): number {
    return Math.min(until, performance.now() + killEvery * 1000 * (0.5 + random()));
  }
}

interface Life {
  readonly server: Launched;
  readonly api: Api;
  readonly random: () => number;
  readonly until: number;
  readonly isStop: boolean;
}

/** Loads a server until it is stopped. @returns what went wrong before */
async function live(loads: readonly Load[], { server, api, random, until, isStop }: Life): Promise<string[]> {
  const faults: string[] = [];
  let isEnding = false;
  const drive = async (load: Load): Promise<void> => {
    while (await load.step(api)) {
      if (isEnding && isStop) return;
      if (performance.now() < until) await pause(2 * REST_MILLIS * random());
    }
    if (!isEnding) faults.push(`a living server cut a connection: ${server.said().stderr.slice(-2000)}`);
  };
  const driven = loads.map((load) => drive(load).catch((error: Error) => void faults.push(error.message)));
  while (performance.now() < until && faults.length === 0) await pause(50);
  await pause(intOf(random, 5, MAX_HURRY_MILLIS));
  isEnding = true;
  const memory = memoryOf(server.pid).resident / 1e6;
  server.kill(isStop ? "SIGTERM" : "SIGKILL");
  const { code } = await server.ended;
  if (isStop && code !== 0) faults.push(`after SIGTERM, the server ended with ${code}`);
  await Promise.all(driven);
  const statuses = [...api.statuses].map(([status, count]) => `${count} of ${status}`).join(", ");
  console.error(`a life with ${memory.toFixed(0)} MB: ${statuses}`);
  const failed = isStop ? [] : [...api.refusals.values()];
  return [...faults, ...failed];
}

function spawn(workshop: Workshop): Launched {
  return workshop.spawn(["--json", "--port", "0", "--data", workshop.path("data")], {}, LAUNCHER);
}

await runCommand(parseCommand, USAGE, run);
