import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { inWorkshop, type Launched, type Running, type Workshop } from "../cli/launcher.js";
import { intOf, randomOf } from "../contract/case.js";
import { Api } from "./api.js";
import { IdRegister, objectOf } from "./ledger.js";
import { BulkLoad, HeartbeatLoad, type Load, type LoadOptions, ShortLivedLoad, writeOn } from "./load.js";
import { ImportLoad, SettingsLoad } from "./other-loads.js";

const SEED = Number(process.env["KILL_SEED"] ?? 9);
/** The server lives for a random time up to this. The moment is the point of the test, not a way to wait. */
const LIFE_MILLIS = 400;
/** After so many rounds all is deleted: each round reads everything, and what grows without end takes most of the time. */
const ROUNDS_OF_A_STATE = 20;
/** So long is waited for a first acknowledged write, at most. */
const LONGEST_MILLIS = 20_000;

/** What is killed. */
export interface Victim {
  readonly rounds: number;
  /** Most milliseconds that it lives in a round. @default 400 */
  readonly lifeMillis?: number;
  /** Starts it on the data of the workshop and waits until it listens. */
  start(workshop: Workshop): Promise<Pick<Running, "url" | "kill" | "ended">>;
  /** Starts it without waiting. */
  spawn(workshop: Workshop): Launched;
}

/** Loads of all kinds. */
export function allLoads(options: LoadOptions): Load[] {
  return [
    new HeartbeatLoad("beats-1", options),
    new HeartbeatLoad("beats-2", options),
    new HeartbeatLoad("beats-3", options),
    new BulkLoad("bulk-1", options),
    new BulkLoad("bulk-2", options),
    new ShortLivedLoad("short-lived", options),
    new SettingsLoad(options),
    new ImportLoad(options),
  ];
}

/** Options of loads that share nothing with others. */
export function freshOptions(random: () => number): LoadOptions {
  let n = 0;
  return { random, ids: new IdRegister(), nextN: () => ++n };
}

/** What each load misses, one line for each. */
export async function lossesIn(all: readonly Load[], api: Api, when: string): Promise<string[]> {
  const losses: string[] = [];
  for (const load of all) {
    const loss = await load.verify(api).catch((error: Error) => error.message);
    if (loss !== undefined) losses.push(`${when}: ${loss.slice(0, 300)}`);
  }
  return losses;
}

async function afterMillis(millis: number, then: () => void): Promise<void> {
  await sleep(millis);
  then();
}

/** Kills a server after a random time; in every other round not before it has acknowledged something. */
async function killLater({ kill }: Pick<Running, "kill">, api: Api, millis: number, round: number): Promise<void> {
  const before = api.acknowledged;
  await sleep(millis);
  for (let left = LONGEST_MILLIS; round % 2 === 1 && api.acknowledged === before && left > 0; left--) await sleep(1);
  kill("SIGKILL");
}

/** Kills a server again and again, on the same data: what it has acknowledged must be there, and nothing by halves. */
export function playRounds({ rounds, start, spawn, lifeMillis = LIFE_MILLIS }: Victim): Promise<void> {
  return inWorkshop(async (workshop) => {
    const random = randomOf(SEED);
    let all = allLoads(freshOptions(random));
    const losses: string[] = [];
    const deviceIds = new Set<unknown>();
    let acknowledged = 0;
    for (let round = 1; round <= rounds; round++) {
      if (round % 6 === 0) await killWhileStarting(spawn(workshop), intOf(random, 20, 400));
      const server = await start(workshop);
      const api = new Api(server.url);
      const { device_id: deviceId } = objectOf(await api.get("info"));
      deviceIds.add(deviceId);
      losses.push(...(await lossesIn(all, api, `round ${round}`)));
      if (round % ROUNDS_OF_A_STATE === 0) all = await begunAnew(api, () => allLoads(freshOptions(random)));
      const before = api.acknowledged;
      const death = killLater(server, api, intOf(random, 10, lifeMillis), round);
      await Promise.all([death, ...all.map((load) => writeOn(load, api))]);
      assert.is((await server.ended).signal, "SIGKILL");
      acknowledged += api.acknowledged - before;
    }
    const last = await start(workshop);
    losses.push(...(await lossesIn(all, new Api(last.url), "in the end")));
    last.kill("SIGTERM");
    assert.is((await last.ended).code, 0);
    console.log(
      `kill -9: ${rounds} rounds, ${acknowledged} acknowledged writes, ${losses.length} losses (seed ${SEED})`,
    );
    assert.equal(losses, []);
    assert.is(deviceIds.size, 1, "the device id stays the same");
    // A busy machine gets little done in these moments; a broken test gets nothing done.
    assert.ok(acknowledged >= rounds / 2, `only ${acknowledged} writes were acknowledged`);
  });
}

/** Deletes everything. @returns new loads */
export async function begunAnew(api: Api, createLoads: () => Load[]): Promise<Load[]> {
  for (const bucketId of Object.keys(objectOf(await api.get("buckets/")))) {
    assert.is((await api.request("DELETE", `buckets/${bucketId}?force=1`))?.status, 200);
  }
  for (const key of Object.keys(objectOf(await api.get("settings")))) {
    assert.is((await api.request("DELETE", `settings/${encodeURIComponent(key)}`))?.status, 200);
  }
  return createLoads();
}

/** A death while the storage is being opened, with the remains of the last one in it. */
async function killWhileStarting(starting: Launched, millis: number): Promise<void> {
  await afterMillis(millis, () => starting.kill("SIGKILL"));
  await starting.ended;
}
