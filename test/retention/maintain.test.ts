import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
  type Storage,
} from "../../src/index.js";
import { fakeClock } from "../../src/testing/index.js";
import { BUCKET, onPort, recordingLogger } from "../harness.js";
import { refusalOf } from "../refusals.js";

const test = suite("housekeeping without listen()");

const HOUR_MILLIS = 3_600_000;

/** Storage whose trash has an entry of last month, and an event that a rule deletes. It stays open for a look. */
async function overdue(): Promise<{ storage: Storage; clock: ReturnType<typeof fakeClock> }> {
  const storage: Storage = { ...memory(), close: async () => undefined };
  const clock = fakeClock("2024-03-01T10:00:00Z");
  const server = createActivityServer({ storage, clock });
  await server.buckets.create("gone", BUCKET, [{ timestamp: "2024-02-01T10:00:00Z", duration: 0 }]);
  await server.buckets.delete("gone");
  await server.buckets.create("kept", BUCKET, [
    { timestamp: "2024-02-01T10:00:00Z", duration: 0 },
    { timestamp: "2024-04-30T10:00:00Z", duration: 0 },
  ]);
  await server.settings.put("retention_rules", [{ buckets: "kept", keepDays: 30 }]);
  await server.close();
  clock.set("2024-05-01T10:00:00Z");
  return { storage, clock };
}

/** How many entries the trash has, expired or not, and how many events the bucket. */
async function stored(storage: Storage): Promise<[number, number]> {
  return [(await storage.records("trash").list()).size, await storage.countEvents("kept")];
}

test("maintain() does once what is due, and reports it", async () => {
  const { storage, clock } = await overdue();
  const server = createActivityServer({ storage, clock });
  assert.equal(await stored(storage), [1, 2]);
  const { trashEntries, retention } = await server.maintain();
  assert.is(trashEntries, 1);
  assert.equal(retention.buckets, [{ bucketId: "kept", expired: 1, short: 0, summarized: 0, summaries: 0 }]);
  assert.equal(await stored(storage), [0, 1]);
  const again = await server.maintain();
  assert.equal([again.trashEntries, again.retention.buckets], [0, []]);
  await server.close();
  await server.maintain().then(
    () => assert.unreachable(),
    (error) => assert.is(error.code, "STORAGE_CLOSED"),
  );
});

/** Uses a server, runs the timers that it has set meanwhile, as if their hour had come, and closes it. */
async function afterAnHour(
  options: ActivityServerOptions,
  use: (server: ActivityServer) => Promise<unknown>,
): Promise<number> {
  const { setTimeout } = globalThis;
  const due: (() => void)[] = [];
  globalThis.setTimeout = ((call: () => void, millis: number, ...given: unknown[]) => {
    if (millis >= 60_000 && millis <= HOUR_MILLIS) due.push(call);
    return setTimeout(call, millis, ...given);
  }) as typeof setTimeout;
  const server = createActivityServer(options);
  try {
    await use(server);
    for (const call of due.splice(0)) call();
    // The run has started when the next one is planned, or when closing waits for it.
    for (let turn = 0; turn < 1000 && due.length === 0; turn++) await new Promise(setImmediate);
    return due.length;
  } finally {
    globalThis.setTimeout = setTimeout;
    await server.close();
  }
}

for (const [way, use] of [
  ["a call in process", (server: ActivityServer) => server.info()],
  ["a request by fetch", (server: ActivityServer) => server.fetch("/api/0/info")],
  [
    "a request of Node",
    (server: ActivityServer) => onPort(server.nodeHandler, ({ send }) => send("GET", "/api/0/info")),
  ],
  ["a read", (server: ActivityServer) => server.events.read("kept").toArray()],
] as const) {
  test(`with maintain: true, ${way} starts it`, async () => {
    const { storage, clock } = await overdue();
    await afterAnHour({ storage, clock, maintain: true }, use);
    assert.equal(await stored(storage), [0, 1]);
  });
}

test("with maintain: true, nothing starts before that", async () => {
  const { storage, clock } = await overdue();
  await afterAnHour({ storage, clock, maintain: true }, async () => undefined);
  assert.equal(await stored(storage), [1, 2]);
});

test("a storage that does not open is no failure of the trash", async () => {
  const { logger, errors } = recordingLogger();
  const storage = (): Storage => {
    throw new Error("the folder is open in another process");
  };
  const server = createActivityServer({ storage, logger, maintain: true });
  assert.match(await refusalOf(server.buckets.list()), "the folder is open in another process");
  await new Promise(setImmediate);
  await server.close();
  assert.equal(errors, []);
});

test("without it, nothing is done", async () => {
  const { storage, clock } = await overdue();
  await afterAnHour({ storage, clock }, (server) => server.info());
  assert.equal(await stored(storage), [1, 2]);
});

test.run();
