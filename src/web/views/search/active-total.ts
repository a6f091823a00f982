// The total that *Activity* shows for the same filter, period and hosts, since several watchers record the same time.
import { client } from "../../api.js";
import { knownBuckets } from "../../buckets.js";
import { effectiveCategories } from "../../category-state.js";
import { filtered } from "../../filter/state.js";
import { useLoad } from "../../load.js";
import { alwaysActivePattern } from "../../settings.js";
import { choosableHosts, type Hosts } from "../activity/hosts.js";
import { excludeRejected } from "../activity/rejected.js";
import { readCategoryTimes, sumSeconds } from "../activity/results.js";
import { programOf, sourceOf } from "../activity/source.js";
import type { SearchAddress } from "./address.js";

/** The hosts in *Activity*. */
export function hostsOf({ host }: SearchAddress): Hosts {
  const [only, ...others] = choosableHosts(knownBuckets.value);
  const one = host ?? (others.length === 0 ? only : undefined);
  return one === undefined ? { kind: "all" } : { kind: "one", host: one };
}

/**
 * Loads the total after the search, since it is less urgent. In seconds; 0 if *Activity* has none, `undefined` until
 * known.
 *
 * @param found result of the search; a change reloads the total; `undefined` during the search
 */
export function useActiveTotal(address: SearchAddress, found: unknown): number | undefined {
  const { period } = address;
  const source = sourceOf(hostsOf(address), knownBuckets.value);
  const valid = excludeRejected({ categories: effectiveCategories.value, pattern: alwaysActivePattern.value });
  const query =
    found === undefined ? undefined : programOf(source, filtered(valid.classifying), { onlyCategories: true });
  const total = useLoad(JSON.stringify([period.start, period.end, query, found]), async (signal) => {
    const end = Math.min(period.end, Date.now());
    if (query === undefined || end <= period.start) return 0;
    const timeperiods = [{ start: new Date(period.start), end: new Date(end) }];
    // The rows are useful without it.
    const [answer] = await client.query({ timeperiods, query }, { signal }).catch(() => []);
    return sumSeconds(readCategoryTimes(answer));
  });
  return found !== undefined && total.state === "ready" ? total.value : undefined;
}
