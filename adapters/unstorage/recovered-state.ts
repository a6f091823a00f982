import { ActivityError, messageOf } from "../../src/errors.js";
import { type BlobStore, corrupt, type Found, inGroups, reasonOf } from "./blob-store.js";
import { checkOwner } from "./fencing-token.js";
import { type Placed, parseManifest } from "./manifest.js";
import { type Kind, OWNER, parseName, valueName } from "./names.js";
import { EMPTY_ROOT, parseRoot, type Root } from "./root.js";

/** The state from previous epochs. */
export interface RecoveredState {
  readonly root: Root;
  /** The epoch of the root; `undefined` for a new storage. */
  readonly epoch: string | undefined;
  /** The segments of each bucket, by its number. */
  readonly manifests: ReadonlyMap<number, readonly Placed[]>;
  readonly names: readonly string[];
  /** Greatest number of an epoch with a root, confirmed or not. */
  readonly epochNo: number;
}

/**
 * Reads everything except the log and the segments, and changes nothing.
 *
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`, `STORAGE_UNUSABLE`, `STORAGE_FAILED`
 */
export async function readState(blobs: BlobStore): Promise<RecoveredState> {
  checkOwner(await blobs.read(OWNER), blobs.title);
  const names = await blobs.names();
  const roots = await readRoots(blobs, names);
  const epochNo = Math.max(0, ...roots.map(({ root }) => root.epochNo));
  const last = roots.filter(({ root }) => root.confirmed).sort((a, b) => b.root.epochNo - a.root.epochNo)[0];
  if (last?.isIncomplete) throw corrupt(blobs, `root-${last.epoch}`, "a version of it is missing");
  if (last === undefined) {
    const orphan = names.find((name) => !["root", undefined].includes(parseName(name)?.kind));
    if (orphan !== undefined) throw corrupt(blobs, orphan, "it is there, but no root that names it");
    return { root: EMPTY_ROOT, epoch: undefined, manifests: new Map(), names, epochNo };
  }
  const manifests = new Map<number, readonly Placed[]>();
  await inGroups([...last.root.manifests], async ([bucketNo, place]) => {
    manifests.set(bucketNo, await readManifest(blobs, valueAt("manifest", place), bucketNo));
  });
  return { root: last.root, epoch: last.epoch, manifests, names, epochNo };
}

/** Lists the names with one kind and epoch. */
export function filterNames({ names }: Pick<RecoveredState, "names">, kind: Kind, epoch: string | undefined): string[] {
  return names.filter((name) => {
    const parsed = parseName(name);
    return parsed?.kind === kind && parsed.epoch === epoch;
  });
}

/** The name of a value, from the epoch and number in a reference. */
export function valueAt(kind: Kind, place: string): string {
  return `${kind}-${place}`;
}

/** All of our names that neither the root nor its manifests refer to. Foreign names stay. */
export function findGarbage({ root, manifests, names }: RecoveredState): string[] {
  const used = new Set(Array.from(root.manifests.values(), (place) => valueAt("manifest", place)));
  for (const entries of manifests.values()) {
    for (const { place } of entries) if (place !== null) used.add(valueAt("segment", place));
  }
  return names.filter((name) => parseName(name) !== undefined && !used.has(name));
}

/** The root of an epoch, as found. */
interface FoundRoot {
  readonly epoch: string;
  readonly root: Root;
  /** Whether one of the first two places is empty. Both are written before an epoch is confirmed. */
  readonly isIncomplete: boolean;
}

/** Reads the newest version of each root. One that was cut off never applied. */
async function readRoots(blobs: BlobStore, names: readonly string[]): Promise<FoundRoot[]> {
  const roots: FoundRoot[] = [];
  const epochs = new Set(names.map(parseName).flatMap((name) => (name?.kind === "root" ? name.epoch : [])));
  for (const epoch of epochs) {
    // The first two places are always read: a last stray write may have come after the list.
    const firstTwo = [0, 1].map((no) => valueName("root", epoch, no));
    const places = [...new Set([...firstTwo, ...filterNames({ names }, "root", epoch)])];
    let newest: Root | undefined;
    const torn: string[] = [];
    const missing: string[] = [];
    await inGroups(places, async (name) => {
      const found = await blobs.read(name);
      if (found.kind === "missing") missing.push(name);
      else if (found.kind === "torn") torn.push(name);
      else {
        const root = parseExisting(blobs, name, found, (body) => parseRoot(body, blobs.title));
        if (root.version > (newest?.version ?? 0)) newest = root;
      }
    });
    // No second version was started before the first one was confirmed.
    if (newest === undefined && torn[1] !== undefined) throw corrupt(blobs, torn[1], "all versions are cut off");
    if (newest !== undefined) roots.push({ epoch, root: newest, isIncomplete: missing.length > 0 });
  }
  return roots;
}

async function readManifest(blobs: BlobStore, name: string, bucketNo: number): Promise<Placed[]> {
  return parseExisting(blobs, name, await blobs.read(name), (body) => parseManifest(body, bucketNo));
}

/**
 * Parses a value that must exist and be whole.
 *
 * @throws ActivityError `STORAGE_CORRUPT`; errors of `parse`
 */
function parseExisting<T>(blobs: BlobStore, name: string, found: Found, parse: (body: string) => T): T {
  if (found.kind !== "body") throw corrupt(blobs, name, reasonOf(found));
  try {
    return parse(found.body);
  } catch (thrown) {
    if (ActivityError.is(thrown)) throw thrown;
    throw corrupt(blobs, name, messageOf(thrown));
  }
}
