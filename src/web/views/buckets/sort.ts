import type { BucketOrder, BucketSort } from "./overview.js";

const ORDERS: ReadonlySet<string> = new Set<BucketOrder>(["id", "type", "client", "first", "last", "events", "rate"]);

const DEFAULT: BucketSort = { by: "id", descending: false };

/** Parses an address parameter such as `-last`; anything else is the default. */
export function readSort(text: string | null): BucketSort {
  const by = text?.replace(/^-/, "") ?? "";
  return isOrder(by) ? { by, descending: text?.startsWith("-") === true } : DEFAULT;
}

/** The address parameter; `undefined` for the default. */
export function printSort({ by, descending }: BucketSort): string | undefined {
  if (by === DEFAULT.by && descending === DEFAULT.descending) return undefined;
  return `${descending ? "-" : ""}${by}`;
}

function isOrder(text: string): text is BucketOrder {
  return ORDERS.has(text);
}
