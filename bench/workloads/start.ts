import type { Bench } from "../bench.js";
import { summary } from "../query/measure.js";
import { Launched, nothingMillis } from "../scale/launched.js";
import { folderOf } from "../scale/sets.js";

const SETS = ["200k", "10m"] as const;

/** How long people wait for the first answer of a server that was not running. */
export async function start(bench: Bench): Promise<void> {
  for (const set of SETS) {
    const id = `start/launcher/${set}`;
    if (!bench.wants(id)) continue;
    const folder = await folderOf(bench, set);
    const [ours, plain, nothing]: [number[], number[], number[]] = [[], [], []];
    // The first start replays what the filling left in the log; no later one has that to do.
    await timeOf(Launched.launcher(folder));
    for (let run = 0; run < 4 * bench.rounds + 1; run++) {
      nothing.push(await nothingMillis());
      plain.push(await timeOf(Launched.plain()));
      ours.push(await timeOf(Launched.launcher(folder)));
    }
    const unmeasured = Number.NaN;
    const floor = summary(plain, unmeasured, {});
    const idle = summary(nothing, unmeasured, {}).p50Millis;
    const notes = { "plain server ms": floor.p50Millis, "node -e 0 ms": idle };
    const bare = summary(ours, unmeasured, {});
    const mine = { ...bare, notes: { ...notes, "times node -e 0": bare.p50Millis / idle } };
    const facts = { workload: `cold start, ${set} events`, via: "http", storage: "leveldb", connections: 1 } as const;
    bench.report({ id, ...facts, unit: "starts/s", ours: mine, floor, ratio: (100 * mine.rate) / floor.rate });
  }
}

async function timeOf(starting: Promise<Launched>): Promise<number> {
  const launched = await starting;
  await launched.stop();
  return launched.firstAnswerMillis;
}
