import * as assert from "uvu/assert";
import { inWorkshop, type Launched, type Running, type Workshop } from "../cli/launcher.js";
import { intOf, randomOf } from "../contract/case.js";
import { Client, IdRegister } from "./ledger.js";
import {
  BulkLoad,
  HeartbeatLoad,
  ImportLoad,
  type Load,
  type LoadOptions,
  SettingsLoad,
  ShortLivedLoad,
} from "./load.js";

const SEED = Number(process.env.KILL_SEED ?? 9);
/** The server lives for a random time up to this. The moment is the point of the test, not a way to wait. */
const LIFE_MILLIS = 600;

/** What is killed. */
export interface Victim {
  readonly rounds: number;
  /** Starts it on the data of the workshop and waits until it listens. */
  start(workshop: Workshop): Promise<Pick<Running, "url" | "kill" | "ended">>;
  /** Starts it without waiting. */
  spawn(workshop: Workshop): Launched;
}

function loads(options: LoadOptions): Load[] {
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

async function afterMillis(millis: number, then: () => void): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, millis));
  then();
}

async function lossesIn(all: readonly Load[], client: Client, when: string): Promise<string[]> {
  const losses: string[] = [];
  for (const load of all) {
    const loss = await load.verify(client).catch((error: Error) => error.message);
    if (loss !== undefined) losses.push(`${when}: ${loss.slice(0, 300)}`);
  }
  return losses;
}

/** Kills a server again and again, on the same data: what it has acknowledged must be there, and nothing by halves. */
export function playRounds({ rounds, start, spawn }: Victim): Promise<void> {
  return inWorkshop(async (workshop) => {
    const random = randomOf(SEED);
    let n = 0;
    const all = loads({ random, ids: new IdRegister(), nextN: () => ++n });
    const losses: string[] = [];
    const deviceIds = new Set<unknown>();
    let acknowledged = 0;
    for (let round = 1; round <= rounds; round++) {
      if (round % 6 === 0) await killWhileStarting(spawn(workshop), intOf(random, 20, 400));
      const server = await start(workshop);
      const client = new Client(server.url);
      const { device_id: deviceId } = (await client.get("info")) as { device_id: string };
      deviceIds.add(deviceId);
      losses.push(...(await lossesIn(all, client, `round ${round}`)));
      const before = client.acknowledged;
      const life = afterMillis(intOf(random, 10, LIFE_MILLIS), () => server.kill("SIGKILL"));
      await Promise.all([life, ...all.map((load) => load.write(client))]);
      assert.is((await server.ended).signal, "SIGKILL");
      acknowledged += client.acknowledged - before;
    }
    const last = await start(workshop);
    losses.push(...(await lossesIn(all, new Client(last.url), "in the end")));
    last.kill("SIGTERM");
    assert.is((await last.ended).code, 0);
    console.log(
      `kill -9: ${rounds} rounds, ${acknowledged} acknowledged writes, ${losses.length} losses (seed ${SEED})`,
    );
    assert.equal(losses, []);
    assert.is(deviceIds.size, 1, "the device id stays the same");
    // A busy machine gets little done in these moments; a broken test gets nothing done.
    assert.ok(acknowledged > rounds * 3, `only ${acknowledged} writes were acknowledged`);
  });
}

/** A death while the storage is being opened, with the remains of the last one in it. */
async function killWhileStarting(starting: Launched, millis: number): Promise<void> {
  await afterMillis(millis, () => starting.kill("SIGKILL"));
  await starting.ended;
}
