// Searches, and shows what is found while more is coming.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientSearchRows, ClientSearchSummary } from "../../../client/search-types.js";
import { recoveries } from "../../api.js";

/** What was found so far. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** There at the end. */
  readonly summary?: ClientSearchSummary | undefined;
  readonly isBusy: boolean;
  readonly error?: unknown;
}

/** Rows that come within this time are drawn together, in milliseconds. */
const TOGETHER_MILLIS = 60;

/**
 * Searches whenever the key changes. The first rows are drawn at once, and rows of the search before stay until then.
 *
 * @param key says all that the answer depends on
 */
export function useSearch<Row>(key: string, search: (signal: AbortSignal) => ClientSearchRows<Row>): Found<Row> {
  const [found, setFound] = useState<Found<Row> & { readonly key: string }>({ key: "", rows: [], isBusy: true });
  const latest = useRef(found);
  latest.current = found;
  const recovered = recoveries.value;
  useEffect(() => {
    const controller = new AbortController();
    const before = latest.current;
    // A longer list of the same begins with what is shown.
    setFound({ rows: before.rows, key, isBusy: true });
    void collect(search(controller.signal), (part) => {
      if (!controller.signal.aborted) setFound({ key, ...part });
    });
    return () => controller.abort();
  }, [key, recovered]);
  return found.key === key ? found : { rows: found.rows, isBusy: true };
}

async function collect<Row>(given: ClientSearchRows<Row>, show: (found: Found<Row>) => void): Promise<void> {
  const rows: Row[] = [];
  let shownAt = Number.NEGATIVE_INFINITY;
  try {
    for await (const row of given) {
      rows.push(row);
      if (performance.now() - shownAt < TOGETHER_MILLIS) continue;
      show({ rows: [...rows], isBusy: true });
      shownAt = performance.now();
    }
    show({ rows, summary: await given.summary(), isBusy: false });
  } catch (error) {
    show({ rows, isBusy: false, error });
  }
}
