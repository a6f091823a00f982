import { ActivityError, hasCode } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { KeyGate } from "../segments/vault.js";
import { type BlobStore, bodyOf, inGroups } from "./blob-store.js";
import { DeferredDelete } from "./deferred-delete.js";
import { createFencingToken, type FencingToken, ownerBody } from "./fencing-token.js";
import { Log } from "./log.js";
import { lostName, newEpoch, OWNER, parseName } from "./names.js";
import { type ReadLog, readLog } from "./read-log.js";
import { findGarbage, type RecoveredState, readState } from "./recovered-state.js";
import { RootFile } from "./root-file.js";

/**
 * An epoch is the time of one writer. The names of all rewritten values contain the epoch, so two writers never write
 * to one place. An opening
 *
 * 1. checks that everything is readable, and changes nothing if not;
 * 2. writes its epoch into the record `owner`: from then on the previous writer acknowledges nothing;
 * 3. lists the keys and reads the state from the confirmed root with the greatest number, and the current log;
 * 4. writes its own root, with a number above every number in the list, which defines how much of that log applies;
 * 5. checks that `owner` still has its epoch, confirms the root, and checks again. Only then it may remove the
 *    leftovers of others.
 *
 * If several openings do so at once, those whose epoch was overwritten fail at 5. Confirmed roots have different
 * numbers: if two openings passed the first check of step 5, the later one wrote its epoch after that check of the
 * earlier one, so it found that root in the list and took a greater number.
 */
export interface Epoch {
  readonly name: string;
  readonly token: FencingToken;
  readonly root: RootFile;
  readonly log: Log;
  readonly trash: DeferredDelete;
}

/** A new epoch, and the state that it found. */
export interface StartedEpoch {
  readonly epoch: Epoch;
  readonly found: RecoveredState & ReadLog;
}

/** How often to read data that look damaged. */
const MAX_READS = 4;

/**
 * Starts an epoch.
 *
 * @param gate passed before anything is changed, and again if the state after the change has other keys
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`, `STORAGE_UNUSABLE`: then nothing was
 *   changed; `STORAGE_LOCKED` if another opening interfered; `STORAGE_FAILED`
 */
export async function startEpoch(blobs: BlobStore, logger: Logger, gate: KeyGate): Promise<StartedEpoch> {
  const pass = ({ root, epoch }: RecoveredState): Promise<string | undefined> =>
    gate.pass(root.keys ?? undefined, { name: blobs.title, isNew: epoch === undefined });
  const first = await readWithRetries(blobs);
  let keys = await pass(first);
  const name = newEpoch();
  await takeOwnership(blobs, name);
  const token = createFencingToken(blobs, name);
  const state = await readFenced(blobs, token);
  const isOther = state.root.keys !== first.root.keys || (state.epoch === undefined) !== (first.epoch === undefined);
  if (isOther) keys = await pass(state);
  const readBack = await readLog(blobs, state);
  const root = new RootFile(blobs, name, token, state.root);
  const begun = { epochNo: state.epochNo + 1, log: readBack.position, nextLog: 1 };
  const facts = { ...state.root, ...begun, keys: keys ?? null };
  await root.write({ ...facts, confirmed: false });
  if (readBack.problems.length > 0) await copyDamagedLog(blobs, state);
  await root.write({ ...facts, confirmed: true });
  const trash = new DeferredDelete(blobs, logger, () => token.lost === undefined);
  const before = readBack.names;
  trash.add(findGarbage(state).filter((each) => !before.includes(each)));
  const log = new Log({ blobs, epoch: name, token, root, trash, before });
  return { epoch: { name, token, root, log, trash }, found: { ...state, ...readBack } };
}

/** Keeps a damaged log under names that no opening removes. */
function copyDamagedLog(blobs: BlobStore, { names }: RecoveredState): Promise<void> {
  const logs = names.filter((name) => parseName(name)?.kind === "log");
  return inGroups(logs, (name) => blobs.copy(name, lostName(name)));
}

/**
 * Reads the state before any change. A running writer may change it in the meantime, so apparent damage is read again.
 */
async function readWithRetries(blobs: BlobStore): Promise<RecoveredState> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readState(blobs);
    } catch (thrown) {
      if (!isCorrupt(thrown) || attempt === MAX_READS) throw thrown;
    }
  }
}

/** Reads the state after the previous writer is shut out. Apparent damage may come from a later one. */
async function readFenced(blobs: BlobStore, token: FencingToken): Promise<RecoveredState> {
  try {
    return await readState(blobs);
  } catch (thrown) {
    if (isCorrupt(thrown)) await token.verify();
    throw thrown;
  }
}

function isCorrupt(thrown: unknown): boolean {
  return hasCode(thrown, "STORAGE_CORRUPT");
}

/** Makes an epoch the only one that may write. @throws ActivityError `STORAGE_LOCKED`, `STORAGE_UNUSABLE` */
export async function takeOwnership(blobs: BlobStore, name: string): Promise<void> {
  const before = bodyOf(await blobs.read(OWNER));
  // A driver without a write method seems to succeed. The first mismatch may be another, slow writer.
  for (let attempt = 1; attempt <= 2; attempt++) {
    await blobs.write(OWNER, ownerBody(name));
    const found = await blobs.read(OWNER);
    if (bodyOf(found) === ownerBody(name)) return;
    const isAsBefore = found.kind === "missing" || (found.kind === "body" && found.body === before);
    if (!isAsBefore) {
      throw new ActivityError("STORAGE_LOCKED", `${blobs.title} was opened by another writer at the same moment`);
    }
  }
  throw new ActivityError("STORAGE_UNUSABLE", `${blobs.title} keeps nothing: its driver may be read-only`);
}
