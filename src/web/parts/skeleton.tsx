import type { JSX } from "preact";
import { common } from "../texts/common.js";

/** A placeholder of about the final size for lines, rows or bars, so that the layout moves little. */
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
