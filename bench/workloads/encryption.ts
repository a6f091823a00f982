import type { Bench } from "../bench.js";
import { type InsideName, type InsideRun, type Insides, measureInside, withPlaces } from "../inside.js";
import { type Entrant, hold } from "../rounds.js";
import { EVENTS } from "./bulk.js";
import { EXPORT_PATH } from "./export.js";
import { fillInsides } from "./reads.js";

const FIRST_BEAT_SECONDS = 1_750_000_000;

interface Question {
  readonly id: string;
  readonly workload: string;
  readonly via: "storage" | "fetch";
  readonly unit: string;
  readonly run: InsideRun;
}

/** What encryption costs: a folder that is encrypted beside one that is not, which stands in for the floor. */
export async function encryption(bench: Bench): Promise<void> {
  const questions = [...heartbeats(bench), ...bulkAndExport(bench)].filter(({ id }) => bench.wants(id));
  if (questions.length === 0) return;
  const places = new Map<InsideName, string>([
    ["leveldb", bench.temporaryFolder()],
    ["leveldb encrypted", bench.temporaryFolder()],
  ]);
  await withPlaces(places, bench, (insides) => ask(bench, insides, questions));
}

async function ask(bench: Bench, insides: Insides, questions: readonly Question[]): Promise<void> {
  if (questions.some(({ via }) => via === "fetch")) await fillInsides(bench, [...insides.values()]);
  const events = bench.sample().window;
  if (questions.some(({ run }) => run.operation === "putEvents")) {
    for (const inside of insides.values()) await inside.ask("load", { events });
  }
  for (const { run, ...question } of questions) {
    const entrants = new Map<string, Entrant>();
    for (const [name, inside] of insides) {
      entrants.set(name === "leveldb" ? "floor" : name, () => measureInside(inside, run));
    }
    await hold(bench, { ...question, connections: run.callers ?? 1, entrants });
  }
}

function heartbeats({ seconds, sample }: Bench): Question[] {
  const data = sample().distinct;
  return (["merge", "insert"] as const).flatMap((kind) =>
    [1, 64].map((callers) => ({
      id: `encryption/${kind}/${callers}`,
      workload: `heartbeat ${kind}`,
      via: "storage" as const,
      unit: "req/s",
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

function bulkAndExport({ seconds }: Bench): Question[] {
  const bulk = { operation: "putEvents", seconds, unitsPerCall: EVENTS };
  const stream = { operation: "stream", argument: { path: EXPORT_PATH }, seconds, byBytes: true };
  return [
    { id: "encryption/bulk/1", workload: "bulk insert, 1000 a call", via: "storage", unit: "events/s", run: bulk },
    { id: "encryption/export/1", workload: "export of 200 k events", via: "fetch", unit: "MB/s", run: stream },
  ];
}
