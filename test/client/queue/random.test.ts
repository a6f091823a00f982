// long: 300 s
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { NewEvent } from "../../../src/client/index.js";
import type { HeartbeatQueue } from "../../../src/client/queue/index.js";
import { withFolder } from "../../adapters/folder.js";
import { intOf, randomOf } from "../../contract/case.js";
import { sizeOf } from "../../faults/sizes.js";
import { until } from "../../http/client.js";
import { beat, type Fault, inScene, page, undisturbed } from "./scene.js";

const test = suite("heartbeat queue: random faults and deaths");

const RUNS = sizeOf("QUEUE_RUNS", { short: 8, long: 40 });
const BEATS = 60;
const FAULTS: readonly Fault[] = ["down", "cut", "late", page(), 429, 500, 503];

/** Beats of a few activities, mostly in order. */
function randomBeats(random: () => number): NewEvent[] {
  let now = 1_000;
  return Array.from({ length: BEATS }, () => {
    now += intOf(random, 0, 4);
    const late = random() < 0.08 ? intOf(random, 1, 60) : 0;
    return beat(now - late, `app ${intOf(random, 1, 2)}`, random() < 0.3 ? intOf(random, 0, 6) : 0);
  });
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Never resolves; rejects when the signal is aborted. */
function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    else signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

let faults = 0;
let deaths = 0;

for (let seed = 1; seed <= RUNS; seed++) {
  test(`run ${seed}: the events are those of a quiet day`, () =>
    withFolder((folder) =>
      inScene(async (scene) => {
        const random = randomOf(seed);
        const beats = randomBeats(random);
        const pulsetime = [0, 3, 10][intOf(random, 0, 2)] ?? 0;
        const commitInterval = [0, 2, 8][intOf(random, 0, 2)] ?? 0;
        const badness = random() * 0.5;
        let generation = 0;
        let underWay = 0;
        /** A process with a file: its requests get no answer any more once it is dead. */
        const live = (): HeartbeatQueue => {
          const own = generation;
          const alive = async <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> => {
            if (own !== generation) return forever(signal);
            underWay++;
            const [settled] = await Promise.allSettled([call()]);
            underWay--;
            if (own !== generation) return forever(signal);
            if (settled.status === "rejected") throw settled.reason;
            return settled.value;
          };
          return scene.open({
            ...{ pulsetime, commitInterval, path: path.join(folder, `queue-${own}`) },
            wait: async (_millis, signal) => {
              for (let turn = 0; turn < 3 && !signal.aborted; turn++) await turns(1);
              if (own !== generation) await forever(signal).catch(() => {});
            },
            client: {
              heartbeat: (...call) => alive(call[3]?.signal, () => scene.faulty.heartbeat(...call)),
              buckets: { create: (...call) => alive(call[2]?.signal, () => scene.faulty.buckets.create(...call)) },
              events: { list: (...call) => alive(call[2]?.signal, () => scene.faulty.events.list(...call)) },
            },
          });
        };
        scene.fault = () => {
          if (random() >= badness) return undefined;
          faults++;
          return FAULTS[intOf(random, 0, FAULTS.length - 1)];
        };
        let queue = live();
        for (const each of beats) {
          assert.is(await queue.heartbeat(each), "disk");
          if (random() < 0.4) await turns(intOf(random, 1, 10));
          if (random() >= 0.06) continue;
          deaths++;
          const file = path.join(folder, `queue-${generation}`);
          generation++;
          fs.copyFileSync(file, path.join(folder, `queue-${generation}`));
          await until(() => underWay === 0, "the end of requests");
          queue = live();
        }
        scene.fault = () => undefined;
        await queue.flush();
        generation++;
        assert.equal(await scene.events(), await undisturbed(beats, pulsetime));
        assert.equal(
          scene.warnings.filter(({ code }) => code !== "UNREACHABLE"),
          [],
        );
      }),
    ));
}

test("faults and deaths have happened", () => {
  console.log(`${RUNS} runs, ${RUNS * BEATS} beats, ${faults} faults, ${deaths} deaths`);
  assert.ok(faults > RUNS && deaths > RUNS, `${faults} faults, ${deaths} deaths`);
});

test.run();
