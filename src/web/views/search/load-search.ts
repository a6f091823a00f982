// Searches, and shows what is found while more is coming.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchSummary } from "../../../client/index.js";
import { recoveries } from "../../api.js";
import { type Early, firstOf } from "./first-found.js";

/** What was found so far. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** There at the end. */
  readonly summary?: ClientSearchSummary | undefined;
  readonly isBusy: boolean;
  readonly error?: unknown;
}

/** How to search. */
export interface Searching<Row> {
  readonly search: (signal: AbortSignal) => ClientSearchRows<Row>;
  /** Rows that are there sooner, and stand until the others come; for searches that end before their first row. */
  readonly first?: ((signal: AbortSignal) => AsyncIterable<Row>) | undefined;
}

/** Rows that come within this time are drawn together, in milliseconds. */
const TOGETHER_MILLIS = 60;

/**
 * Searches whenever the key or the limit changes. The first rows are drawn at once, and rows of the search before stay
 * until then; so do all rows of a shorter search for the same, until there are as many.
 *
 * @param key says all else that the answer depends on
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
      const early: Early =
        isSame || first === undefined
          ? { ahead: undefined, count: isSame ? before.rows.length : 0, end: () => undefined }
          : firstOf(first, signal, (rows) => show({ rows, isBusy: true }));
      await early.ahead;
      if (!signal.aborted) await collect(search(signal), early, show);
    })();
    return () => controller.abort();
  }, [key, limit, recovered]);
  return found.key === key ? found : { rows: found.rows, isBusy: true };
}

/** @param shown already: fewer rows than these would let the page shrink and grow again */
async function collect<Row>(
  given: ClientSearchRows<Row>,
  shown: Early,
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
