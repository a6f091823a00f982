// Finds the sites of uncategorized time, and what rules can search for in their titles.
import { formatTerm } from "../../../filter/term.js";
import { client } from "../../api.js";
import { UNCATEGORIZED } from "../../categories.js";
import { wordOfSite } from "../../filter/proposals.js";
import type { ReportRequest } from "../../report.js";
import type { Preview } from "./preview.js";
import { type Candidate, siteCandidate } from "./words.js";

/** Each site takes a request. */
const MAX_SITES = 8;
const MAX_TITLES = 200;
const FILTER = [formatTerm({ kind: "category", name: [UNCATEGORIZED], not: false })];

/** Candidates for the longest sites; those whose titles have nothing in common are left out. */
export async function loadSites(
  request: ReportRequest,
  { titles, uncategorizedTitles }: Preview,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const all = await client.report(
    { ...request, filter: FILTER, groups: [{ by: "site", limit: MAX_SITES }] },
    { signal },
  );
  const sites = (all.groups["site"]?.rows ?? []).flatMap(({ key }) => key || []);
  const found = await Promise.all(
    sites.map(async (site) => {
      const filter = [...FILTER, formatTerm({ kind: "equals", path: ["site"], value: site, not: false })];
      const groups = [{ by: "title", limit: MAX_TITLES }];
      const own = await client.report({ ...request, filter, groups }, { signal });
      const rows = own.groups["title"]?.rows ?? [];
      const times = rows.flatMap(({ key, seconds }) => (key === null ? [] : [{ title: key, seconds }]));
      const text = wordOfSite(site, times, titles);
      return text === undefined ? [] : [siteCandidate(site, text, uncategorizedTitles)];
    }),
  );
  return found.flat().sort((a, b) => b.seconds - a.seconds);
}
