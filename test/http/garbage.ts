import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage now: what is measured after it is held by somebody. */
export function collectGarbage(): void {
  // The collector is there for contexts that are made after the flag is set.
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
