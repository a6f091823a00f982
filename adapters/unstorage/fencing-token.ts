import { ActivityError } from "../../src/errors.js";
import { type BlobStore, bodyOf, type Found, inGroups } from "./blob-store.js";
import { OWNER, parseName, valueName } from "./names.js";
import { checkFormat, FORMAT } from "./root.js";

/**
 * Keeps a writer from acknowledging anything after another one has taken over. There is no compare-and-set, so the
 * check comes *after* the write and before its acknowledgement: as long as it finds this writer's epoch, the next
 * writer has not started to read, and will read the write. A late writer has only written to names of its own epoch,
 * which are not read any more.
 */
export interface FencingToken {
  /** Why the token is lost, if it is. */
  readonly lost: ActivityError | undefined;
  /**
   * Ensures that the next writer sees all writes so far. Concurrent callers share one check.
   *
   * @throws ActivityError `STORAGE_LOCKED` permanently if another writer has taken over, `STORAGE_CORRUPT` if the
   *   record was removed, `STORAGE_FAILED` if it is unreadable
   */
  verify(): Promise<void>;
}

/** The body of the record `owner`. */
export function ownerBody(epoch: string): string {
  return JSON.stringify({ format: FORMAT, epoch });
}

/**
 * Checks the record `owner`. A torn or damaged one does not matter: the next writer overwrites it. Format 1 had another
 * checksum.
 *
 * @throws ActivityError `STORAGE_UNUSABLE` for a foreign value, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`
 */
export function checkOwner(found: Found, title: string): void {
  if (found.kind === "foreign") {
    throw new ActivityError("STORAGE_UNUSABLE", `${title} contains other data at '${OWNER}'; choose another base`);
  }
  if (found.kind === "body") checkFormat((JSON.parse(found.body) as { format: unknown }).format, title);
  if (found.kind === "damaged" && found.body.startsWith('{"format":1,')) checkFormat(1, title);
}

/** The token of an epoch's writer. */
export function createFencingToken(blobs: BlobStore, epoch: string): FencingToken {
  const mine = ownerBody(epoch);
  let lost: ActivityError | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function check(): Promise<void> {
    try {
      const found = await blobs.read(OWNER);
      if (bodyOf(found) === mine) return;
      lost ??= found.kind === "missing" ? ownerMissing(blobs.title) : takenOver(blobs.title);
      if (found.kind === "missing") await removeStrays(blobs, epoch);
      throw lost;
    } finally {
      running = undefined;
    }
  }

  function start(): Promise<void> {
    next = undefined;
    running = check();
    return running;
  }

  return {
    get lost() {
      return lost;
    },
    verify() {
      if (lost !== undefined) return Promise.reject(lost);
      if (running === undefined) return start();
      // The running check may have read before our write.
      next ??= running.then(start, start);
      return next;
    },
  };
}

/** Removes what a writer wrote to a storage that was deleted: then at least one of its first two roots is missing. */
async function removeStrays(blobs: BlobStore, epoch: string): Promise<void> {
  try {
    const names = (await blobs.names()).filter((name) => parseName(name)?.epoch === epoch);
    if ([0, 1].every((no) => names.includes(valueName("root", epoch, no)))) return;
    await inGroups(names, (name) => blobs.remove(name));
  } catch {
    // The write is refused in any case.
  }
}

function takenOver(title: string): ActivityError {
  const message = `another writer has taken over ${title}; this one was opened earlier and is refused from now on`;
  return new ActivityError("STORAGE_LOCKED", message);
}

function ownerMissing(title: string): ActivityError {
  return new ActivityError("STORAGE_CORRUPT", `${title} was removed while it was open`);
}
