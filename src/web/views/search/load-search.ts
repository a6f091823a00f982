// Runs a search, and shows results as they arrive.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchSummary } from "../../../client/index.js";
import { recoveries } from "../../recoveries.js";
import { type EarlyResults, showFirst } from "./first-found.js";

/** Results so far. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Available at the end. */
  readonly summary?: ClientSearchSummary | undefined;
  readonly isBusy: boolean;
  readonly error?: unknown;
}

/** How to search. */
export interface Searching<Row> {
  readonly search: (signal: AbortSignal) => ClientSearchRows<Row>;
  /** Returns early rows, which are shown until the others arrive. For searches without results until their end. */
  readonly first?: ((signal: AbortSignal) => AsyncIterable<Row>) | undefined;
}

/** Rows that arrive within this time are rendered together, in milliseconds. */
const TOGETHER_MILLIS = 60;

/**
 * Searches whenever the key or the limit changes. The first rows are rendered immediately, and previous rows stay until
 * then; rows of a shorter search for the same key stay until there are as many.
 *
 * @param key identifies everything else that the response depends on
 */
export function useSearch<Row>(key: string, limit: number, searching: Searching<Row>): Found<Row> {
  const [found, setFound] = useState<Found<Row> & { readonly key: string }>({ key: "", rows: [], isBusy: true });
  const latest = useRef(found);
  latest.current = found;
  const recovered = recoveries.value;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const before = latest.current;
    const isSame = before.key === key;
    setFound({ rows: before.rows, key, isBusy: true });
    const show = (part: Found<Row>): void => {
      if (!signal.aborted) setFound({ key, ...part });
    };
    void (async () => {
      const { search, first } = searching;
      const early: EarlyResults =
        isSame || first === undefined
          ? { ahead: undefined, count: isSame ? before.rows.length : 0, end: () => undefined }
          : showFirst(first, signal, (rows) => show({ rows, isBusy: true }));
      await early.ahead;
      if (!signal.aborted) await collect(search(signal), early, show);
    })();
    return () => controller.abort();
  }, [key, limit, recovered]);
  return found.key === key ? found : { rows: found.rows, isBusy: true };
}

/** @param shown number of displayed rows; fewer would make the page shrink and grow again */
async function collect<Row>(
  given: ClientSearchRows<Row>,
  shown: EarlyResults,
  show: (found: Found<Row>) => void,
): Promise<void> {
  const rows: Row[] = [];
  let shownAt = Number.NEGATIVE_INFINITY;
  try {
    for await (const row of given) {
      rows.push(row);
      if (rows.length < shown.count || performance.now() - shownAt < TOGETHER_MILLIS) continue;
      shown.end();
      show({ rows: [...rows], isBusy: true });
      shownAt = performance.now();
    }
    const summary = await given.summary();
    shown.end();
    show({ rows, summary, isBusy: false });
  } catch (error) {
    shown.end();
    show({ rows, isBusy: false, error });
  }
}
