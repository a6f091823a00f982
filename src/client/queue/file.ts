// The content at a queue's path: an earlier file, a damaged one, or a foreign one.
import type { NodeParts } from "./node.js";
import { HeartbeatQueueError } from "./queue-error.js";
import { NOTHING, type Recovered, recover } from "./records.js";
import { type Warn, warningText } from "./warning.js";

export interface FileState {
  readonly found: Recovered;
  /** Why it must be set aside instead of overwritten. */
  readonly defect: string | undefined;
  readonly cause: unknown;
  /** Identifies this state of the file; `undefined` = there was none, or it is unknown. */
  readonly stamp: string | undefined;
}

/** Follows links, so that the file is replaced at its real path, and has one lock under all its names. */
export function realPath({ fs, path }: NodeParts, given: string): string {
  const full = path.resolve(given);
  try {
    fs.mkdirSync(path.dirname(full), { recursive: true });
    if (fs.existsSync(full)) return fs.realpathSync(full);
    return path.join(fs.realpathSync(path.dirname(full)), path.basename(full));
  } catch {
    // The folder does not exist yet: writing the file fails with the reason.
    return full;
  }
}

/**
 * Reads as much as possible, and changes nothing.
 *
 * @param bucketId whose heartbeats are wanted
 * @throws HeartbeatQueueError `OTHER_BUCKET`
 */
export function inspectFile(fs: NodeParts["fs"], path: string, bucketId: string): FileState {
  let stamp: string | undefined;
  try {
    stamp = readStamp(fs, path);
  } catch {
    // Writing the file fails in the same way.
  }
  if (stamp === undefined) return { found: NOTHING, defect: undefined, cause: undefined, stamp };
  if (stamp === FOLDER) return { found: NOTHING, defect: "it is a folder", cause: undefined, stamp };
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(path);
  } catch (cause) {
    return { found: NOTHING, defect: `it cannot be read: ${warningText(cause)}`, cause, stamp };
  }
  const found = recover(bytes, bucketId);
  refuseOthers(found, path, bucketId);
  if (found.damage !== undefined) return { found, defect: found.damage, cause: undefined, stamp };
  try {
    fs.closeSync(fs.openSync(path, "r+"));
  } catch (cause) {
    return { found, defect: `it cannot be written: ${warningText(cause)}`, cause, stamp };
  }
  return { found, defect: undefined, cause: undefined, stamp };
}

function refuseOthers({ beats, others }: Recovered, path: string, bucketId: string): void {
  if (others === undefined || beats.length > 0) return;
  const held = `${others.count} beats of the bucket '${others.bucketId}'`;
  throw new HeartbeatQueueError(
    "OTHER_BUCKET",
    `the queue file ${path} contains ${held}; this queue is for '${bucketId}'`,
  );
}

const FOLDER = "folder";

function readStamp(fs: NodeParts["fs"], path: string): string | undefined {
  const facts = fs.statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  if (facts.isDirectory()) return FOLDER;
  if (!facts.isFile()) throw new Error("it is not a file");
  return `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
}

/**
 * Makes room for a new file. An intact queue file that was read stays, because the new one will contain all of it; any
 * other file is set aside.
 *
 * @param seen the content that was read
 * @throws errors of the file system
 */
export function makeRoom(fs: NodeParts["fs"], path: string, seen: FileState, warn: Warn): void {
  const stamp = readStamp(fs, path);
  if (stamp === undefined) return;
  const defect = stamp === seen.stamp ? seen.defect : "it has changed while this queue could not use it";
  if (defect === undefined) return;
  let n = 1;
  while (fs.existsSync(`${path}.damaged-${n}`)) n++;
  const aside = `${path}.damaged-${n}`;
  fs.renameSync(path, aside);
  const { length } = seen.found.beats;
  const kept = length === 1 ? "1 beat of it is kept" : `${length} beats of it are kept`;
  warn("DAMAGED", `the queue file was set aside as ${aside}, since ${defect}; ${kept}`, { cause: seen.cause });
}
