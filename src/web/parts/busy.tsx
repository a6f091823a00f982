import type { JSX } from "preact";
import { common } from "../texts/common.js";

/** A loading indicator. Appears after a delay, so that fast loads do not flash. */
export function Busy({ label = common("loading") }: { readonly label?: string }): JSX.Element {
  return (
    <div class="busy" role="status">
      <span>{label}</span>
    </div>
  );
}
