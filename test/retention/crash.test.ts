// Runs of retention in a process that is killed: no event is lost or doubled, and the next run does the rest.
// long: 300 s
import { spawn } from "node:child_process";
import readline from "node:readline";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { newDataFolder, withFolder } from "../adapters/folder.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { withServer } from "../harness.js";
import { postgresGround } from "../postgres/ground.js";
import { programOf } from "../program.js";
import { CLOCK, NOW, type Place } from "./killed-run.js";

const test = suite("retention through kills");
const ROUNDS = sizeOf("RETENTION_ROUNDS", { short: 1, long: 20 });
/** Kills of a round: fewer than there are transactions. */
const KILLS = sizeOf("RETENTION_KILLS", { short: 1, long: 2 });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const APPS = ["code", "mail", "browser"];
/** They become summaries, in ten transactions. */
const EVENTS = 12_000;

async function fill(server: ActivityServer): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    timestamp: new Date(NOW - 120 * DAY + index * 15_000),
    duration: { seconds: 10 },
    data: { app: APPS[index % APPS.length] as string },
  }));
  await server.buckets.create("a", { type: "t", client: "c", hostname: "h" }, events);
  await server.settings.put("retention_rules", [{ buckets: "a", summarizeAfterDays: 30 }]);
}

/** What is stored, without ids: those of summaries are given out when they are made. */
async function contentOf(server: ActivityServer): Promise<unknown[]> {
  const events = await server.events.read("a", { order: "oldest" }).toArray();
  return events.map(({ timestamp, duration, data }) => [timestamp, duration, data]);
}

async function secondsOf(server: ActivityServer): Promise<number> {
  const events = await server.events.read("a").toArray();
  return events.reduce((sum, { duration }) => sum + duration, 0) / 1_000_000;
}

function withClock<T>(storage: Storage, body: (server: ActivityServer) => Promise<T>): Promise<T> {
  return withServer({ door: "process", storage, clock: CLOCK }, ({ server }) => body(server));
}

/** Runs retention elsewhere, and kills it a while after some of its transactions. @returns how many there were */
async function killedAfter(place: Place, transactions: number, millis: number): Promise<number> {
  const { execArgv, file } = programOf(new URL("./killed-run.ts", import.meta.url));
  const env = { ...process.env, KILLED_RUN: JSON.stringify(place) };
  const child = spawn(process.execPath, [...execArgv, file], { stdio: ["ignore", "pipe", "inherit"], env });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let seen = 0;
  for await (const _ of readline.createInterface({ input: child.stdout })) {
    if (++seen === transactions) setTimeout(() => child.kill("SIGKILL"), millis);
  }
  await ended;
  return seen;
}

async function expectWholeThroughKills(open: () => Storage, place: Place, seed: number): Promise<void> {
  const expected = await withClock(memory(), async (server) => {
    await fill(server);
    await server.retention.run();
    return contentOf(server);
  });
  const random = randomOf(seed);
  await withClock(open(), fill);
  for (let kill = 0; kill < KILLS; kill++) {
    assert.ok((await killedAfter(place, intOf(random, 1, 3), intOf(random, 0, 30))) > 0, "nothing was done");
    await withClock(open(), async (server) => {
      assert.is(await secondsOf(server), EVENTS * 10, `kill ${kill}`);
      assert.ok((await server.events.count("a")) > expected.length, `kill ${kill} came behind the end`);
    });
  }
  await withClock(open(), async (server) => {
    await server.retention.run();
    assert.equal(await contentOf(server), expected);
    assert.equal(await server.retention.preview(), []);
  });
}

test("in LevelDB", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await withFolder(async (path) => {
      await newDataFolder(path);
      await expectWholeThroughKills(() => leveldb({ path }), { path }, round);
    });
  }
});

test("in PostgreSQL", async () => {
  const ground = await postgresGround();
  if (ground === undefined) return;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const namespace = ground.newNamespace();
      const place = { connectionString: ground.url, namespace };
      await expectWholeThroughKills(() => ground.open(namespace), place, round);
    }
  } finally {
    await ground.finish();
  }
});

test.run();
