import type { JSX } from "preact";
import { formatDuration } from "../../format.js";

/** A formatted duration, with a machine-readable value. */
export function Duration({ seconds }: { readonly seconds: number }): JSX.Element {
  return <time dateTime={`PT${Math.max(0, seconds).toFixed(6)}S`}>{formatDuration(seconds)}</time>;
}
