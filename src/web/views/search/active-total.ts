// The total that *Activity* shows for the same filter, period and hosts, since several watchers record the same time.
import { client } from "../../api.js";
import { knownBuckets } from "../../buckets.js";
import { useLoad } from "../../load.js";
import { reportKey, reportRequest } from "../../report.js";
import { currentCalendar } from "../../settings.js";
import { choosableHosts, type Hosts } from "../activity/hosts.js";
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
  const request = reportRequest(period, currentCalendar.value, hostsOf(address));
  const total = useLoad(JSON.stringify([reportKey(request), found]), async (signal) => {
    if (found === undefined) return 0;
    // The rows are useful without it.
    const report = await client.report(request, { signal }).catch(() => undefined);
    return report?.totals.active ?? 0;
  });
  return found !== undefined && total.state === "ready" ? total.value : undefined;
}
