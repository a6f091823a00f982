import { quote } from "../../src/errors.js";
import { checkOwner } from "./fence.js";
import { type Manifest, parseJournal, parseManifest, replay } from "./manifest.js";
import { chunkName, journalRecord, manifestRecord, OWNER, parseName, rootRecord, slotName } from "./names.js";
import { parseRoot, type Root } from "./root.js";
import { corrupt, readRecord } from "./slots.js";
import type { Values } from "./values.js";

/** What a former term left. */
export interface Legacy {
  readonly root: Root;
  /** By bucket number. */
  readonly manifests: ReadonlyMap<number, Manifest>;
  readonly names: readonly string[];
  /** Greatest number of a term that ever wrote a root, confirmed or not. */
  readonly termNo: number;
}

/** Buckets that are read or written at the same time. */
const AT_ONCE = 16;

/**
 * Reads what is there, and changes nothing.
 *
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE`, `STORAGE_FAILED`
 */
export async function readLegacy(values: Values): Promise<Legacy> {
  checkOwner(await values.read(OWNER), values.title);
  const names = await values.names();
  const roots = await readRoots(values, names);
  const termNo = Math.max(0, ...roots.map(({ root }) => root.termNo));
  const last = roots.filter(({ root }) => root.confirmed).sort((a, b) => b.root.termNo - a.root.termNo)[0];
  if (last === undefined) {
    const orphan = names.find((name) => !["root", undefined].includes(parseName(name)?.kind));
    if (orphan !== undefined) throw corrupt(values, orphan, "it is there, but no root that names it");
    return { root: EMPTY_ROOT, manifests: new Map(), names, termNo };
  }
  const places = placesIn(names);
  const manifests = new Map<number, Manifest>();
  await inGroups([...last.root.buckets], async ([bucketNo, bucketId]) => {
    const manifest = await readManifest(values, places, { term: last.term, bucketNo });
    if (manifest.bucket.id !== bucketId) {
      throw corrupt(values, manifestRecord(last.term, bucketNo), `it is of the bucket ${quote(manifest.bucket.id)}`);
    }
    manifests.set(bucketNo, manifest);
  });
  return { root: last.root, manifests, names, termNo };
}

const EMPTY_ROOT: Root = {
  version: 0,
  termNo: 0,
  confirmed: false,
  device: undefined,
  nextId: 1,
  nextBucket: 1,
  buckets: new Map(),
  settings: new Map(),
};

/** The names of the places of a record. */
type Places = (record: string) => readonly string[];

/** The first two places of a record are always looked at: a last stray write may have come behind the list. */
function placesIn(names: readonly string[]): Places {
  const places = new Map<string, Set<string>>();
  for (const name of names) {
    const { record = "" } = parseName(name) ?? {};
    places.set(record, (places.get(record) ?? new Set()).add(name));
  }
  return (record) => [...(places.get(record) ?? new Set<string>()).add(slotName(record, 0)).add(slotName(record, 1))];
}

async function readRoots(values: Values, names: readonly string[]): Promise<{ term: string; root: Root }[]> {
  const places = placesIn(names);
  const roots: { term: string; root: Root }[] = [];
  const terms = new Set(names.map(parseName).flatMap((name) => (name?.kind === "root" ? name.term : [])));
  for (const term of terms) {
    const root = await readRecord(values, places(rootRecord(term)), (body) => parseRoot(body, values.title));
    if (root !== undefined) roots.push({ term, root });
  }
  return roots;
}

/** A manifest with its journal worked in. */
async function readManifest(
  values: Values,
  places: Places,
  { term, bucketNo }: { term: string; bucketNo: number },
): Promise<Manifest> {
  const [manifestAt, journalAt] = [manifestRecord(term, bucketNo), journalRecord(term, bucketNo)];
  const [manifest, journal] = await Promise.all([
    readRecord(values, places(manifestAt), parseManifest),
    readRecord(values, places(journalAt), parseJournal),
  ]);
  if (manifest === undefined) throw corrupt(values, manifestAt, "it is missing");
  if (journal?.base !== manifest.version) return manifest;
  try {
    return { ...manifest, nextId: journal.nextId, tail: replay(manifest.tail, journal.changes) };
  } catch (cause) {
    throw corrupt(values, journalAt, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

/** All of our names but those of chunks that a bucket has. Names of a form that is not ours are left alone. */
export function garbageIn({ manifests, names }: Legacy): string[] {
  const used = new Set<string>();
  for (const [bucketNo, { directory }] of manifests) {
    for (const { term, chunkNo } of directory.entries) used.add(chunkName(term, bucketNo, chunkNo));
  }
  return names.filter((name) => parseName(name) !== undefined && !used.has(name));
}

/** Works on many things, some at a time. */
export async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}
