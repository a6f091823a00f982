import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inWorkshop, type Running } from "../cli/launcher.js";
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

const test = suite("kill -9");

/** `KILL_ROUNDS=500 node --import tsx test/crash/kill-9.test.ts` goes on for long. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 24);
const SEED = Number(process.env.KILL_SEED ?? 9);
/** The server lives for a random time up to this. The moment is the point of the test, not a way to wait. */
const LIFE_MILLIS = 600;

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

async function kill(server: Running): Promise<void> {
  server.kill("SIGKILL");
  const { signal } = await server.ended;
  assert.is(signal, "SIGKILL");
}

test(`${ROUNDS} rounds on one folder: what was acknowledged is there, and nothing is half there`, () =>
  inWorkshop(async (workshop) => {
    const random = randomOf(SEED);
    let n = 0;
    const all = loads({ random, ids: new IdRegister(), nextN: () => ++n });
    const losses: string[] = [];
    const deviceIds = new Set<unknown>();
    let acknowledged = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      if (round % 6 === 0) await killWhileStarting(workshop, intOf(random, 20, 400));
      const server = await workshop.start(["--data", workshop.path("data")]);
      const client = new Client(server.url);
      const { device_id: deviceId } = (await client.get("info")) as { device_id: string };
      deviceIds.add(deviceId);
      for (const load of all) {
        const loss = await load.verify(client).catch((error: Error) => error.message);
        if (loss !== undefined) losses.push(`round ${round}: ${loss.slice(0, 300)}`);
      }
      const before = client.acknowledged;
      const life = afterMillis(intOf(random, 10, LIFE_MILLIS), () => server.kill("SIGKILL"));
      await Promise.all([life, ...all.map((load) => load.write(client))]);
      await kill(server);
      acknowledged += client.acknowledged - before;
    }
    const last = await workshop.start(["--data", workshop.path("data")]);
    for (const load of all) {
      const loss = await load.verify(new Client(last.url)).catch((error: Error) => error.message);
      if (loss !== undefined) losses.push(`in the end: ${loss.slice(0, 300)}`);
    }
    last.kill("SIGTERM");
    assert.is((await last.ended).code, 0);
    console.log(
      `kill -9: ${ROUNDS} rounds, ${acknowledged} acknowledged writes, ${losses.length} losses (seed ${SEED})`,
    );
    assert.equal(losses, []);
    assert.is(deviceIds.size, 1, "the device id stays the same");
    assert.ok(acknowledged > ROUNDS * 20, `only ${acknowledged} writes were acknowledged`);
  }));

/** A death while the database is being opened, with the remains of the last one in it. */
async function killWhileStarting(
  workshop: Parameters<Parameters<typeof inWorkshop>[0]>[0],
  millis: number,
): Promise<void> {
  const starting = workshop.spawn(["--json", "--port", "0", "--data", workshop.path("data")]);
  await afterMillis(millis, () => starting.kill("SIGKILL"));
  await starting.ended;
}

test.run();
