import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "../bench.js";
import { QueryServer, summary } from "../query/measure.js";
import { desktopProgram, MONTH, type Question } from "../query/programs.js";

const HEATS = ["cold", "warm"] as const;
/** Questions before the ones that count, for the compiler. */
const WARM_UP_QUESTIONS = 8;
/** Autovacuum looks at tables that were filled, and the disk is busy for a moment. */
const SETTLE_MILLIS = 5_000;
const DESKTOP: readonly Question[] = [{ timeperiods: MONTH, query: desktopProgram(false) }];

/** The activity view of a month of 170,000 events, against LevelDB, which answers in turn. */
export async function months(bench: Bench, url: string): Promise<void> {
  const wanted = HEATS.filter((heat) => bench.wants(`postgres/month/${heat}`));
  if (wanted.length === 0) return;
  const leveldb = await QueryServer.start(bench, "leveldb");
  try {
    const postgres = await QueryServer.start(bench, "postgres", url);
    try {
      await pause(SETTLE_MILLIS);
      for (const heat of wanted) await measure(bench, heat, postgres, leveldb);
    } finally {
      await postgres.child.stop();
    }
  } finally {
    await leveldb.child.stop();
  }
}

async function measure(bench: Bench, heat: (typeof HEATS)[number], ...servers: [QueryServer, QueryServer]) {
  const runs = heat === "cold" ? 2 * bench.rounds + 1 : 10 * bench.rounds + 1;
  const seen = servers.map((server) => ({ server, times: [] as number[], cpu: 0 }));
  if (heat === "warm") {
    for (const { server } of seen) for (let run = 0; run < WARM_UP_QUESTIONS; run++) await server.timeOf(DESKTOP, true);
  }
  for (let run = 0; run < runs; run++) {
    for (const each of seen) {
      if (heat === "cold") await each.server.child.restart();
      const before = await each.server.child.cpu();
      each.times.push(await each.server.timeOf(DESKTOP, true));
      each.cpu += (await each.server.child.cpu()) - before;
    }
  }
  const [ours, floor] = seen.map(({ times, cpu }) => summary(times, cpu / runs, {}));
  if (ours === undefined || floor === undefined) return;
  const facts = { via: "http", storage: "postgres", connections: 1, unit: "responses/s" } as const;
  const workload = `desktop, month, ${heat}, floor: LevelDB`;
  bench.report({
    id: `postgres/month/${heat}`,
    workload,
    ...facts,
    ours,
    floor,
    ratio: (100 * ours.rate) / floor.rate,
  });
}
