import { ActivityError } from "../../src/errors.js";
import { BucketFile } from "./bucket-file.js";
import { weightOf } from "./chunk.js";
import { createFence, type Fence, ownerBody } from "./fence.js";
import { garbageIn, inGroups, type Legacy, readLegacy } from "./legacy.js";
import type { Manifest } from "./manifest.js";
import { newTerm, OWNER } from "./names.js";
import { RootFile } from "./root-file.js";
import type { Shelf } from "./shelf.js";
import { bodyOf, type Values } from "./values.js";

/**
 * A term is the time of one writer. Everything that is written again and again bears the name of its term, so two
 * writers never write to one place. An opening
 *
 * 1. looks whether all can be read, and changes nothing if not;
 * 2. writes its name into the record `owner`: from now on the writer before it acknowledges nothing;
 * 3. lists the keys and reads the state from the confirmed root of the greatest number;
 * 4. writes all manifests and a root of its own, with a number above every number in the list;
 * 5. makes sure that `owner` still has its name, confirms the root, and makes sure again. Only now it may remove what
 *    the others left.
 *
 * Of several that do so at once, those whose name was written over fail at 5. A confirmed root has no equal: if two
 * openings passed the first check of step 5, the later one wrote its name behind that check of the earlier one, so it
 * found that one's root in the list and took a greater number.
 */
export interface Term {
  readonly name: string;
  readonly fence: Fence;
  readonly root: RootFile;
  readonly shelves: readonly Shelf[];
  readonly nextEventId: number;
  /** Names that mean nothing any more: leftovers of former terms. */
  readonly garbage: readonly string[];
}

/** How often something that looks damaged is looked at. */
const LOOKS = 4;

/**
 * Begins a term.
 *
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE`: then nothing was changed;
 *   `STORAGE_LOCKED` when another opening came in between; `STORAGE_FAILED`
 */
export async function beginTerm(values: Values): Promise<Term> {
  await lookFirst(values);
  const name = newTerm();
  await takeOwnership(values, name);
  const fence = createFence(values, name);
  const legacy = await readAlone(values, fence);
  const nextEventId = Math.max(legacy.root.nextId, ...Array.from(legacy.manifests.values(), counterOf));
  const shelves: Shelf[] = [];
  await inGroups([...legacy.manifests], async ([bucketNo, { bucket, directory, tail }]) => {
    const file = new BucketFile(values, name, bucketNo);
    await file.begin({ bucket, directory, tail, nextId: nextEventId });
    const tailWeight = tail.reduce((sum, event) => sum + weightOf(event), 0);
    shelves.push({ bucket, directory, tail, tailWeight, partnerId: undefined, file });
  });
  const root = new RootFile(values, name, { ...legacy.root, nextId: nextEventId, termNo: legacy.termNo + 1 });
  await root.confirm(() => fence.verify());
  return { name, fence, root, shelves, nextEventId, garbage: garbageIn(legacy) };
}

/** A writer that is still there may change the state while it is read: what looks like damage is looked at again. */
async function lookFirst(values: Values): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await readLegacy(values);
      return;
    } catch (thrown) {
      if (!isCorrupt(thrown) || attempt === LOOKS) throw thrown;
    }
  }
}

/** Reads the state when the writer before is shut out. What looks like damage may be the work of a later one. */
async function readAlone(values: Values, fence: Fence): Promise<Legacy> {
  try {
    return await readLegacy(values);
  } catch (thrown) {
    if (isCorrupt(thrown)) await fence.verify();
    throw thrown;
  }
}

function isCorrupt(thrown: unknown): boolean {
  return ActivityError.is(thrown) && thrown.code === "STORAGE_CORRUPT";
}

async function takeOwnership(values: Values, name: string): Promise<void> {
  const before = bodyOf(await values.read(OWNER));
  // A driver without a method to write answers as if it had written. Once it may have been somebody else, who was slow.
  for (let attempt = 1; attempt <= 2; attempt++) {
    await values.write(OWNER, ownerBody(name));
    const found = await values.read(OWNER);
    if (bodyOf(found) === ownerBody(name)) return;
    const isAsBefore = found.kind === "missing" || (found.kind === "body" && found.body === before);
    if (!isAsBefore) {
      throw new ActivityError("STORAGE_LOCKED", `${values.title} was opened by another writer at the same moment`);
    }
  }
  throw new ActivityError("STORAGE_UNUSABLE", `${values.title} keeps nothing: its driver may be read-only`);
}

function counterOf({ nextId }: Manifest): number {
  return nextId;
}
