import type { JSX } from "preact";
import { client } from "../api.js";
import { ALL_CATEGORIES, UNCATEGORIZED } from "../categories.js";
import { type ReportRequest, reportRequest } from "../report.js";
import type { ActionsProps } from "./actions.js";
import { AssignCategory, type AssignCategoryProps, type Found } from "./assign-category.js";
import { matchedTime } from "./match.js";
import { type Proposal, proposalsForFilter, sitesOf, type TitleTime, wordOfSite } from "./proposals.js";
import { filterTerms } from "./state.js";

/** Titles to compare. */
const MAX_TITLES = 500;

export type AssignFilterProps = Pick<ActionsProps, "hosts" | "period" | "calendar" | "name"> &
  Pick<AssignCategoryProps, "onDone" | "onClose">;

/** Assigns the results of the filter to a category. */
export function AssignFilter({ hosts, period, calendar, name, ...ends }: AssignFilterProps): JSX.Element {
  const all = reportRequest(period, calendar, hosts, []);
  const filtered = reportRequest(period, calendar, hosts);
  const proposals = proposalsForFilter(filterTerms.value);
  const sites = sitesOf(filterTerms.value);
  return (
    <AssignCategory
      {...ends}
      period={name}
      // Waits for the rules of sites: those of a browser would move more than the filter shows.
      proposals={sites.length > 0 ? [] : proposals}
      match={(rule, signal) => matchedTime(all, rule, signal)}
      find={async (signal) => {
        const found = await findCurrent(filtered, all, sites, signal);
        return sites.length > 0 ? { ...found, proposals: [...(found.proposals ?? []), ...proposals] } : found;
      }}
    />
  );
}

/** The current category of the longest results, and rules for the sites of the filter. */
async function findCurrent(
  filtered: ReportRequest,
  all: ReportRequest,
  sites: readonly string[],
  signal: AbortSignal,
): Promise<Found> {
  const lists = { groups: [ALL_CATEGORIES, { by: "title", limit: MAX_TITLES }] };
  const own = await client.report({ ...filtered, ...lists }, { signal });
  const [first] = own.groups["title"]?.rows ?? [];
  const others = sites.length === 0 ? [] : titlesOf(await client.report({ ...all, ...lists }, { signal }));
  return {
    category: first?.categories?.[0]?.name ?? [UNCATEGORIZED],
    data: { ...(first?.app && { app: first.app }), ...(first?.key && { title: first.key }) },
    proposals: sites.flatMap((site) => proposalForSite(site, titlesOf(own), others)),
    wordless: sites.find((site) => wordOfSite(site, titlesOf(own), others) === undefined),
  };
}

function proposalForSite(site: string, own: readonly TitleTime[], others: readonly TitleTime[]): readonly Proposal[] {
  const text = wordOfSite(site, own, others);
  return text === undefined ? [] : [{ about: "site", conditions: [{ kind: "contains", text }] }];
}

function titlesOf({ groups }: Awaited<ReturnType<typeof client.report>>): readonly TitleTime[] {
  return (groups["title"]?.rows ?? []).flatMap(({ key, seconds }) => (key === null ? [] : [{ title: key, seconds }]));
}
