import type { JSX } from "preact";
import { formatRough } from "../../format.js";

/** A duration in whole minutes, with a machine-readable value. */
export function Duration({ seconds }: { readonly seconds: number }): JSX.Element {
  return <time dateTime={`PT${Math.max(0, seconds).toFixed(6)}S`}>{formatRough(seconds)}</time>;
}
