import type { JSX } from "preact";
import { common } from "../texts/common.js";

/** Stands where something will be. It shows itself only after a moment, so that what comes at once does not flash. */
export function Busy({ label = common("loading") }: { readonly label?: string }): JSX.Element {
  return (
    <div class="busy" role="status">
      <span>{label}</span>
    </div>
  );
}
