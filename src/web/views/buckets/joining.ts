// Renames a host's buckets, possibly to a name that another host already has.
import type { ClientBucket, ClientMerging } from "../../../client/index.js";
import { client } from "../../api.js";
import type { Overlaps } from "./overlaps-field.js";

/** A bucket, and its new or target ID. */
export interface Pair {
  readonly from: string;
  readonly into: string;
}

/** Buckets to merge, because their new IDs exist, and buckets to relabel. */
export interface JoinPlan {
  readonly merges: readonly Pair[];
  readonly renames: readonly Pair[];
}

/** Options. */
export interface JoinWay {
  readonly host: string;
  readonly to: string;
  /** Whether to rename IDs that end in the hostname. */
  readonly withIds: boolean;
  readonly overlaps: Overlaps;
  readonly redirect: boolean | string;
}

/** Completed steps, even if a later one failed. */
export interface Joined {
  readonly merged: number;
  readonly renamed: number;
  /** Undo IDs, in the order of the steps. */
  readonly undos: readonly string[];
}

export const NOTHING_JOINED: Joined = { merged: 0, renamed: 0, undos: [] };

const NO_TIMEOUT = { timeoutMillis: Number.POSITIVE_INFINITY };

/** Plans the change for each bucket of a host. */
export function planJoin(all: readonly ClientBucket[], { host, to, withIds }: Omit<JoinWay, "overlaps">): JoinPlan {
  const ids = new Set(all.map(({ id }) => id));
  const end = `_${host}`;
  const pairs = all
    .filter(({ hostname }) => hostname === host)
    .map(({ id }) => ({ from: id, into: withIds && id.endsWith(end) ? `${id.slice(0, -end.length)}_${to}` : id }));
  const isTaken = ({ from, into }: Pair): boolean => from !== into && ids.has(into);
  return { merges: pairs.filter(isTaken), renames: pairs.filter((pair) => !isTaken(pair)) };
}

/** Previews the change. Rejected if any step would be. */
export async function previewJoin(
  { merges, renames }: JoinPlan,
  way: JoinWay,
  signal: AbortSignal,
): Promise<readonly ClientMerging[]> {
  const { redirect } = way;
  const [mergings] = await Promise.all([
    Promise.all(merges.map((pair) => mergePair(pair, way, { preview: true, signal }))),
    ...renames
      .filter(({ from, into }) => from !== into)
      .map(({ from, into }) => client.identity.rename(from, { to: into, redirect, preview: true }, { signal })),
  ]);
  return mergings;
}

/**
 * Runs the change: first the merges, then the rest of the host in one step.
 *
 * @param before completed steps
 * @param report called before and after each step, with the next merge
 */
export async function runJoin(
  { merges, renames }: JoinPlan,
  way: JoinWay,
  before: Joined,
  report: (joined: Joined, next: Pair | undefined) => void,
): Promise<Joined> {
  let joined = before;
  for (const pair of merges) {
    report(joined, pair);
    const done = await mergePair(pair, way, { preview: false });
    joined = { ...joined, merged: joined.merged + 1, undos: [...joined.undos, ...undoIds(done)] };
  }
  report(joined, undefined);
  if (renames.length === 0) return joined;
  const { host, to, withIds, redirect } = way;
  const done = await client.identity.renameHost(host, { to, rename_buckets: withIds, redirect });
  return { ...joined, renamed: joined.renamed + done.buckets.length, undos: [...joined.undos, ...undoIds(done)] };
}

/** The undo IDs of a step; empty if it changed nothing. */
export function undoIds({ undo }: { readonly undo: string | null }): readonly string[] {
  return undo === null ? [] : [undo];
}

/** Merges one bucket into another, or previews it. */
export async function mergePair(
  { from, into }: Pair,
  { overlaps, redirect }: Pick<JoinWay, "overlaps" | "redirect">,
  { preview, signal }: { readonly preview: boolean; readonly signal?: AbortSignal },
): Promise<ClientMerging> {
  return client.identity.merge(into, { from: [from], overlaps, redirect, preview }, { ...NO_TIMEOUT, signal });
}
