// Finds the sites of uncategorized time, and what rules can search for in their titles.
import { formatTerm } from "../../../filter/term.js";
import { client } from "../../api.js";
import { UNCATEGORIZED } from "../../categories.js";
import { timesOfTitles, wordOfSite } from "../../filter/proposals.js";
import type { PreviewOf } from "./use-preview.js";
import { type Candidate, siteCandidate } from "./words.js";

/** Each site takes a request. */
const MAX_SITES = 8;
const MAX_TITLES = 200;
const FILTER = [formatTerm({ kind: "category", name: [UNCATEGORIZED], not: false })];

/** Candidates for the longest sites; those whose titles have nothing in common are left out. */
export async function loadSites(
  { recent, titles, uncategorizedTitles }: PreviewOf,
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const bySite = { by: "site", limit: MAX_SITES };
  const all = await client.report({ ...recent, filter: FILTER, groups: [bySite] }, { signal });
  const sites = (all.groups["site"]?.rows ?? []).flatMap(({ key }) => key || []);
  const found = await Promise.all(
    sites.map(async (site) => {
      const filter = [...FILTER, formatTerm({ kind: "equals", path: ["site"], value: site, not: false })];
      const groups = [{ by: "title", limit: MAX_TITLES }];
      const own = await client.report({ ...recent, filter, groups }, { signal });
      const text = wordOfSite(site, timesOfTitles(own), titles);
      return text === undefined ? [] : [siteCandidate(site, text, uncategorizedTitles)];
    }),
  );
  return found.flat().sort((a, b) => b.seconds - a.seconds);
}
