import type { JSX } from "preact";
import { common } from "../texts/common.js";

/** Stands where lines, rows or bars will be, in about their size, so that little moves when they come. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }): JSX.Element {
  return (
    <div class="busy skeleton" role="status">
      <span class="unseen">{common("loading")}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} class="skeleton-line" />
      ))}
    </div>
  );
}
