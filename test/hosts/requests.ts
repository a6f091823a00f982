// One suite of requests for every host: at its root and below a prefix.
import type { suite } from "uvu";
import { BODY_CASES } from "./requests-bodies.js";
import { ID_CASES } from "./requests-ids.js";
import { NEIGHBOUR_CASES, serveBelowAnyPrefix, serveTwo } from "./requests-neighbours.js";
import { ROUTE_CASES } from "./requests-routes.js";
import { STREAM_CASES } from "./requests-streams.js";
import type { Host, HostCase } from "./site.js";

const CASES: readonly HostCase[] = [...ROUTE_CASES, ...ID_CASES, ...BODY_CASES, ...STREAM_CASES, ...NEIGHBOUR_CASES];

/** Adds the whole suite for some hosts. */
export function hostRequests(test: ReturnType<typeof suite>, hosts: readonly Host[]): void {
  for (const host of hosts) {
    for (const prefix of ["", "/tracker"]) {
      const place = prefix === "" ? `at the root of ${host.name}` : `under ${prefix} in ${host.name}`;
      for (const { name, where, run } of CASES) {
        if (where?.(host, prefix) ?? true) test(`${name} ${place}`, () => run(host, prefix));
      }
    }
    test(`it serves below any prefix in ${host.name}`, () => serveBelowAnyPrefix(host));
    test(`two servers under two prefixes do not mix in ${host.name}`, () => serveTwo(host));
  }
}
