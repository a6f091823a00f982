import type { JSX } from "preact";
import { buckets, refreshBuckets } from "../buckets.js";
import { shownValue } from "../load.js";
import { loadSettings, stored } from "../settings.js";
import { common } from "../texts/common.js";
import { Busy } from "./busy.js";
import { Failure } from "./failure.js";

export interface WhenKnownProps {
  readonly children: () => JSX.Element;
}

/** Shows its content when settings and buckets are loaded. Without them, days, categories and hosts would be wrong. */
export function WhenKnown({ children }: WhenKnownProps): JSX.Element {
  for (const [{ value }, retry] of [[stored, loadSettings] as const, [buckets, refreshBuckets] as const]) {
    if (value.state === "failed" && value.before === undefined) {
      return <Failure error={value.error} title={common("notLoaded")} retry={retry} />;
    }
  }
  const isKnown = [stored.value, buckets.value].every((value) => shownValue<unknown>(value) !== undefined);
  return isKnown ? children() : <Busy />;
}
