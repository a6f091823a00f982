import type { StorageProblem } from "../../src/storage/health.js";
import type { LogBatch } from "../segments/store.js";
import { type BlobStore, inGroups } from "./blob-store.js";
import { type LogPiece, type LogValue, parseLogValue } from "./log-value.js";
import { filterNames, type RecoveredState } from "./recovered-state.js";
import type { LogPosition } from "./root.js";

/** The readable part of the current log. */
export interface ReadLog {
  /** In order and without a gap, the snapshot first. */
  readonly batches: readonly LogBatch[];
  /** Their place; `null` if there are none. */
  readonly position: LogPosition | null;
  /** The values that contain them. */
  readonly names: readonly string[];
  /** Signs that batches are missing. */
  readonly problems: readonly StorageProblem[];
}

interface Found extends LogValue {
  readonly name: string;
}

/** The values of a log by their numbers. */
type Values = Map<number, Found>;

/**
 * Reads the current log: the epoch's last log with a whole snapshot, or the one that the root names. A batch applies if
 * it and all previous ones are whole; a value that was cut off never applied. Changes nothing.
 *
 * @throws ActivityError `STORAGE_FAILED`
 */
export async function readLog(blobs: BlobStore, state: RecoveredState): Promise<ReadLog> {
  const { root, epoch } = state;
  if (epoch === undefined) return { batches: [], position: null, names: [], problems: [] };
  const problems: StorageProblem[] = [];
  const read = (of: string): Promise<Map<number, Values>> => readLogs(blobs, filterNames(state, "log", of), problems);
  const own = await read(epoch);
  for (const no of [...own.keys()].filter((each) => each >= root.nextLog).sort((a, b) => b - a)) {
    const found = collectBatches(own.get(no), problems);
    if (found !== undefined) return { ...found, position: createPosition(found.batches, epoch, no), problems };
  }
  if (root.log === null) return { batches: [], position: null, names: [], problems };
  const logs = root.log.epoch === epoch ? own : await read(root.log.epoch);
  const found = collectBatches(logs.get(root.log.no), problems);
  if (found === undefined) {
    problems.push({ kind: "missing", message: "the log is missing; all writes that were only in it are lost" });
    return { batches: [], position: null, names: [], problems };
  }
  const through = root.log.through ?? Number.POSITIVE_INFINITY;
  const batches = found.batches.filter(({ sequence }) => sequence <= through);
  if (root.log.through !== null && batches.at(-1)?.sequence !== through) problems.push(droppedProblem(0));
  return { ...found, batches, position: createPosition(batches, root.log.epoch, root.log.no), problems };
}

/** Excludes batches that are appended after this read. */
function createPosition(batches: readonly LogBatch[], epoch: string, no: number): LogPosition {
  return { epoch, no, through: batches.at(-1)?.sequence ?? null };
}

/** The newest version of each value, by log. */
async function readLogs(
  blobs: BlobStore,
  names: readonly string[],
  problems: StorageProblem[],
): Promise<Map<number, Values>> {
  const logs = new Map<number, Values>();
  await inGroups(names, async (name) => {
    const found = await blobs.read(name);
    if (found.kind === "missing" || found.kind === "torn") return;
    const value = found.kind === "body" ? parsed(found.body) : undefined;
    if (value === undefined) {
      problems.push({ kind: "damaged", message: "a value of the log is damaged; its writes may be lost" });
      return;
    }
    const { log, no, version } = value.head;
    const values = logs.get(log) ?? new Map();
    logs.set(log, values);
    if (version > (values.get(no)?.head.version ?? 0)) values.set(no, { ...value, name });
  });
  return logs;
}

function parsed(body: string): LogValue | undefined {
  try {
    return parseLogValue(body);
  } catch {
    return undefined;
  }
}

/** @returns `undefined` if the snapshot is not whole */
function collectBatches(
  values: Values = new Map(),
  problems: StorageProblem[],
): Pick<ReadLog, "batches" | "names"> | undefined {
  const pieces: LogPiece[] = [];
  const names: string[] = [];
  for (let no = 0, value = values.get(0); value !== undefined; value = values.get(++no)) {
    values.delete(no);
    names.push(value.name);
    pieces.push(...value.pieces);
  }
  const whole = joinParts(pieces);
  const gap = whole.findIndex(({ sequence }, index) => sequence !== (whole[0]?.sequence ?? 0) + index);
  const batches = gap < 0 ? whole : whole.slice(0, gap);
  // A batch is not whole if a crash cut its writing off, whichever parts exist.
  const rest = [...values.values()].sort((a, b) => a.head.no - b.head.no);
  const later = whole.length - batches.length + joinParts(rest.flatMap((value) => value.pieces)).length;
  if (later > 0) problems.push(droppedProblem(later));
  return batches.length === 0 ? undefined : { batches, names };
}

/** Joins parts, and drops incomplete batches. */
function joinParts(pieces: readonly LogPiece[]): LogBatch[] {
  const batches: LogBatch[] = [];
  let parts: string[] = [];
  for (const { sequence, text, part, parts: count } of pieces) {
    if (part === 0) parts = [];
    if (part !== parts.length) continue;
    parts.push(text);
    if (parts.length === count) batches.push({ sequence, text: parts.join("") });
  }
  return batches;
}

function droppedProblem(count: number): StorageProblem {
  const rest = count === 0 ? "" : `; ${count} whole batches after it were dropped`;
  return { kind: "dropped", message: `a part of the log is damaged or missing${rest}` };
}
