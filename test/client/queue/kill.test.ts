// long: 600 s
// Servers and watchers that die: nothing may be lost, come twice, or change its place.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../../src/client/index.js";
import { createHeartbeatQueue, type HeartbeatQueueOptions } from "../../../src/client/queue/index.js";
import { sleep } from "../../../src/client/queue/sleep.js";
import { inWorkshop, type Launched, type Workshop } from "../../cli/launcher.js";
import { intOf, randomOf } from "../../contract/case.js";
import { detailsOf, sizeOf } from "../../faults/sizes.js";
import { inTime } from "../../harness.js";
import { until } from "../../http/client.js";
import { beats, nthBeat } from "./beats.js";
import { BUCKET, BUCKET_ID, PULSETIME, plainEvents, undisturbed } from "./scene.js";
import { startWatcher } from "./watching.js";

const test = suite("heartbeat queue: kill -9");
const details = detailsOf(test);

/** A server on LevelDB that comes back on the same port. */
interface Mortal {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

async function mortal(workshop: Workshop): Promise<Mortal> {
  let port = 0;
  let running: Launched;
  const start = async (): Promise<void> => {
    running = workshop.spawn(["--json", "--port", String(port), "--data", workshop.path("data")]);
    ({ port } = JSON.parse(await running.line((text) => text.includes('"event":"listening"'))));
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    async kill() {
      running.kill("SIGKILL");
      assert.is((await running.ended).signal, "SIGKILL");
    },
  };
}

function queueFor(url: string, options: Partial<HeartbeatQueueOptions>): ReturnType<typeof createHeartbeatQueue> {
  return createHeartbeatQueue({
    client: createClient({ url, timeoutMillis: 5_000 }),
    ...{ bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: PULSETIME, commitInterval: 0 },
    // More tries while the server is away, and less to wait for.
    wait: (millis, signal) => sleep(Math.min(millis, 100), signal, true),
    onWarning: ({ code, message }) => assert.is(code, "UNREACHABLE", message),
    ...options,
  });
}

const COUNT = sizeOf("BEATS", { short: 150, long: 3_000 });
const KILLS = sizeOf("SERVER_KILLS", { short: 1, long: 4 });

test(`a server is killed ${KILLS} times under queues in memory and with a file: the events are those of a quiet day`, () =>
  inWorkshop(async (workshop) => {
    const random = randomOf(7);
    const server = await mortal(workshop);
    const queues = [undefined, workshop.path("queue")].map((path, index) => {
      const bucketId = `${BUCKET_ID}-${index}`;
      return { bucketId, queue: queueFor(server.url, { bucketId, ...(path !== undefined && { path }) }) };
    });
    const sent = (): number => Math.min(...queues.map(({ queue }) => queue.state.sent));
    let kills = 0;
    let isOver = false;
    const killing = (async () => {
      for (; kills < KILLS; kills++) {
        const victim = sent() + intOf(random, 10, 60);
        await until(() => sent() >= victim || isOver, "some sent events");
        await server.kill();
        await server.start();
      }
    })();
    const feeding = queues.map(async ({ queue }) => {
      for (let n = 0; n < COUNT; n++) {
        await queue.heartbeat(nthBeat(n));
        if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        // Beats come while the server is down, too, but not all of them.
        if (queue.state.size > 40) await until(() => queue.state.size < 20, "a shorter queue");
      }
    });
    await Promise.all(feeding);
    isOver = true;
    await killing;
    const expected = await undisturbed(beats(COUNT), PULSETIME);
    for (const { bucketId, queue } of queues) {
      await inTime(queue.flush(), "flush()");
      const { sent } = queue.state;
      await queue.close();
      const events = await plainEvents(createClient({ url: server.url }), bucketId);
      assert.equal(events, expected);
      console.log(`${bucketId}: ${COUNT} beats, ${sent} sent, ${events.length} events, ${kills} kills of the server`);
    }
  }));

details("watchers are killed, and the server between them: what was taken arrives", () =>
  inWorkshop(async (workshop) => {
    const random = randomOf(8);
    const server = await mortal(workshop);
    const path = workshop.path("queue");
    const [rounds, perRound] = [
      sizeOf("WATCHER_KILLS", { short: 2, long: 6 }),
      sizeOf("WATCHER_BEATS", { short: 150, long: 400 }),
    ];
    let next = 0;
    for (let round = 0; round < rounds; round++) {
      const isDown = round % 2 === 1;
      if (isDown) await server.kill();
      const watcher = startWatcher([server.url, path, String(next), String(perRound)]);
      const last = next + intOf(random, 50, perRound - 50);
      await watcher.line(`${last} disk`);
      watcher.kill("SIGKILL");
      const { signal, lines, stderr } = await watcher.ended;
      assert.equal([signal, stderr], ["SIGKILL", ""]);
      // One more may have been taken than was told: it is handed in again.
      next = Number(lines.findLast((line) => line.endsWith(" disk"))?.split(" ")[0]) + 1;
      if (isDown) await server.start();
    }
    const lastWatcher = startWatcher([server.url, path, String(next), "50"], { WATCHER_THEN: "close" });
    const { code, stderr } = await lastWatcher.ended;
    assert.equal([code, stderr], [0, ""]);
    const events = await plainEvents(createClient({ url: server.url }), BUCKET_ID);
    assert.equal(events, await undisturbed(beats(next + 50), PULSETIME));
    console.log(`${next + 50} beats, ${events.length} events, ${rounds} kills of the watcher`);
  }),
);

test.run();
