import type { JSX } from "preact";
import { UNCATEGORIZED } from "../categories.js";
import { reportRequest } from "../report.js";
import type { ActionsProps } from "./actions.js";
import { AssignCategory, type AssignCategoryProps } from "./assign-category.js";
import { loadTitles, matchedTime } from "./match.js";
import { proposalForSite, proposalsForFilter, sitesOf, timesOfTitles } from "./proposals.js";
import { filterTerms } from "./state.js";

export type AssignFilterProps = Pick<ActionsProps, "hosts" | "period" | "calendar" | "name"> &
  Pick<AssignCategoryProps, "onClose">;

/** Assigns the results of the filter to a category. */
export function AssignFilter({ hosts, period, calendar, name, onClose }: AssignFilterProps): JSX.Element {
  const all = reportRequest(period, calendar, hosts, []);
  const filtered = reportRequest(period, calendar, hosts);
  const proposals = proposalsForFilter(filterTerms.value);
  const sites = sitesOf(filterTerms.value);
  return (
    <AssignCategory
      onClose={onClose}
      period={name}
      proposals={proposals}
      match={(rule, signal) => matchedTime(all, rule, signal)}
      find={async (signal) => {
        const own = await loadTitles(filtered, signal);
        const [first] = own.groups["title"]?.rows ?? [];
        const found = {
          category: first?.categories?.[0]?.name ?? [UNCATEGORIZED],
          data: { ...(first?.app && { app: first.app }), ...(first?.key && { title: first.key }) },
        };
        if (sites.length === 0) return found;
        const others = timesOfTitles(await loadTitles(all, signal));
        const ofSites = sites.map((site) => proposalForSite(site, timesOfTitles(own), others));
        return {
          ...found,
          // Rules of sites come first: those of a browser would move more than the filter shows.
          proposals: [...ofSites.flatMap((one) => one ?? []), ...proposals],
          wordless: sites.find((_, at) => ofSites[at] === undefined),
        };
      }}
    />
  );
}
