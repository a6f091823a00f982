// Rows in process: calls of a storage, against the least that the same work needs.
import { fileURLToPath } from "node:url";
import { type LoadResult, measurementOf } from "./client/load.js";
import { type RunSettings, temporaryFolder } from "./contest.js";
import { EVENTS } from "./fixtures.js";
import { type Measurement, type Result, resultOf, takeTurns } from "./measure.js";
import { Process } from "./process.js";

const SCRIPT = fileURLToPath(new URL("storage.mjs", import.meta.url));
/** More calls would turn the row into one about garbage collection. */
const MOST = { heartbeat: 200_000, bulk: 400 };

type Operation = "merge" | "insert" | "buckets" | "bulk";

/** A row in process. */
export interface StorageRow {
  readonly id: string;
  readonly ours: string;
  readonly floor: string;
  readonly operation: Operation;
  readonly callers: number;
}

export const STORAGE_ROWS: readonly StorageRow[] = [
  ...(["merge", "insert", "buckets"] as const).flatMap((operation) =>
    [1, 64].map((callers) => row("storage", "leveldb", "leveldb-floor", operation, callers)),
  ),
  row("storage", "leveldb", "leveldb-floor", "bulk", 1),
  row("encryption", "encrypted", "leveldb", "merge", 64),
  row("encryption", "encrypted", "leveldb", "insert", 64),
  row("encryption", "encrypted", "leveldb", "bulk", 1),
  row("unstorage", "unstorage", "leveldb", "merge", 64),
  row("unstorage", "unstorage", "leveldb", "insert", 64),
];

/** Only where PostgreSQL is installed. */
export const POSTGRES_ROWS: readonly StorageRow[] = (["merge", "insert"] as const).map((operation) =>
  row("postgres", "postgres", "postgres-floor", operation, 64),
);

function row(group: string, ours: string, floor: string, operation: Operation, callers: number): StorageRow {
  return { id: `${group}/${operation}/${callers}`, ours, floor, operation, callers };
}

/** @param url of a database, for kinds that begin with `postgres` */
export async function compareStorages(
  rows: readonly StorageRow[],
  settings: RunSettings,
  report: (result: Result) => void,
  url = "",
): Promise<void> {
  const processes = new Map<string, Process>();
  try {
    for (const kind of new Set(rows.flatMap(({ ours, floor }) => [ours, floor]))) {
      const place = kind.startsWith("postgres") ? url : temporaryFolder(settings);
      const process = new Process([SCRIPT, kind, place], { channel: "own" });
      processes.set(kind, process);
      const { distinct: data, window: events } = settings.sample;
      await process.ask("load", { data, events });
    }
    for (const { id, ours, floor, operation, callers } of rows) {
      const isBulk = operation === "bulk";
      const load = isBulk ? { unitsPerRequest: EVENTS } : {};
      const entrants = [ours, floor].map((kind) => async (): Promise<Measurement> => {
        const { seconds } = settings;
        const run = { operation, callers, seconds, warmUpSeconds: seconds / 2 };
        const most = MOST[isBulk ? "bulk" : "heartbeat"];
        const answer = await processes.get(kind)?.ask<LoadResult & { cpuMicros: number }>("run", { ...run, most });
        if (answer === undefined) throw new Error(`${kind} did not start`);
        return { ...measurementOf(answer, load), cpuMicros: answer.cpuMicros / answer.requests };
      });
      const [mine = [], theirs] = await takeTurns(settings.rounds, entrants);
      const what = isBulk ? "insert of 1,000 events, in process" : `heartbeat, ${operation}, in process`;
      report(resultOf({ id, what, unit: isBulk ? "events/s" : "calls/s" }, mine, theirs));
    }
  } finally {
    for (const process of processes.values()) await process.stop();
  }
}
