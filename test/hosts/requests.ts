// One suite of requests for every host: at its root and below a prefix.
import type { suite } from "uvu";
import { IS_LONG, partOfDay } from "../faults/sizes.js";
import { BODY_CASES } from "./requests-bodies.js";
import { ID_CASES } from "./requests-ids.js";
import { NEIGHBOUR_CASES, serveBelowAnyPrefix, serveTwo } from "./requests-neighbours.js";
import { ROUTE_CASES } from "./requests-routes.js";
import { STREAM_CASES } from "./requests-streams.js";
import type { Host, HostCase } from "./site.js";

const CASES: readonly HostCase[] = [...ROUTE_CASES, ...ID_CASES, ...BODY_CASES, ...STREAM_CASES, ...NEIGHBOUR_CASES];

/**
 * Adds the suite for some hosts. In the short tests a case runs in one of them, at the root or below a prefix, all of
 * which take their turns; in the long ones in half of these places, the others on the next day.
 *
 * @param part which third of the cases the short tests run, where others run the rest in hosts much like these; without
 * it they run all
 */
export function hostRequests(test: ReturnType<typeof suite>, hosts: readonly Host[], part?: 0 | 1 | 2): void {
  const places = hosts.flatMap((host) => ["", "/tracker"].map((prefix) => ({ host, prefix })));
  for (const [index, { name, where, run }] of CASES.entries()) {
    if (!IS_LONG && part !== undefined && index % 3 !== part) continue;
    const fitting = places.filter(({ host, prefix }) => where?.(host, prefix) ?? true);
    const turn = index % Math.max(1, fitting.length);
    // Each case starts elsewhere, so that no place has all of its cases on one day.
    const turned = [...fitting.slice(turn), ...fitting.slice(0, turn)];
    const chosen = IS_LONG && turned.length > 1 ? partOfDay(turned, 2) : turned.slice(0, 1);
    for (const { host, prefix } of chosen) {
      const place = prefix === "" ? `at the root of ${host.name}` : `under ${prefix} in ${host.name}`;
      test(`${name} ${place}`, () => run(host, prefix));
    }
  }
  for (const host of hosts) {
    test(`it serves below any prefix in ${host.name}`, () => serveBelowAnyPrefix(host));
    test(`two servers under two prefixes do not mix in ${host.name}`, () => serveTwo(host));
  }
}
