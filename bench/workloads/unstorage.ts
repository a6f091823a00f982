import { startRedis } from "../../test/adapters/redis-server.js";
import type { Bench } from "../bench.js";
import { FIRST_DAY, MICROS_PER_DAY, seededRandom } from "../data.js";
import { type InsideName, type InsideRun, type Insides, measureInside, withPlaces } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { BUCKET, fillInsides } from "./reads.js";

const KINDS = ["merge", "insert"] as const;
const CALLERS = [1, 64];
const DAYS = 100;
const FIRST_BEAT_SECONDS = 1_750_000_000;

interface Question {
  readonly id: string;
  readonly workload: string;
  readonly run: InsideRun;
}

/** What a heartbeat and a range read cost on drivers of unstorage, beside LevelDB, which stands in for the floor. */
export async function unstorage(bench: Bench): Promise<void> {
  const questions = [...heartbeats(bench), ...reads(bench)].filter(({ id }) => bench.wants(id));
  if (questions.length === 0) return;
  const redis = await startRedis();
  try {
    const places = new Map<InsideName, string>([
      ["leveldb", bench.temporaryFolder()],
      ["unstorage memory", ""],
      ["unstorage fs-lite", bench.temporaryFolder()],
    ]);
    if (redis !== undefined) places.set("unstorage redis", redis.socketPath);
    await withPlaces(places, bench, (insides) => ask(bench, insides, questions));
  } finally {
    await redis?.stop();
  }
}

async function ask(bench: Bench, insides: Insides, questions: readonly Question[]): Promise<void> {
  if (questions.some(({ run }) => run.operation === "days")) await fillInsides(bench, [...insides.values()]);
  for (const { id, workload, run } of questions) {
    const entrants = new Map<string, Entrant>();
    for (const [name, inside] of insides) {
      entrants.set(name === "leveldb" ? "floor" : name, () => measureInside(inside, run));
    }
    const connections = run.callers ?? 1;
    await hold(bench, { id, workload, via: "storage", connections, unit: "req/s", entrants });
  }
}

function heartbeats({ seconds, sample }: Bench): Question[] {
  const data = sample().distinct;
  return KINDS.flatMap((kind) =>
    CALLERS.map((callers) => ({
      id: `unstorage/${kind}/${callers}`,
      workload: `heartbeat ${kind}`,
      run: {
        operation: "heartbeat",
        argument: { kind, callers, buckets: 0, data, firstSeconds: FIRST_BEAT_SECONDS },
        callers,
        seconds,
        most: 200_000,
      },
    })),
  );
}

function reads({ seconds }: Bench): Question[] {
  const random = seededRandom(7);
  const starts = Array.from({ length: 1000 }, () => FIRST_DAY + Math.floor(random() * DAYS) * MICROS_PER_DAY);
  const workload = "one day of 100 (2,000 events)";
  const argument = { id: BUCKET, starts, length: MICROS_PER_DAY };
  return [{ id: "unstorage/day/1", workload, run: { operation: "days", argument, seconds } }];
}
