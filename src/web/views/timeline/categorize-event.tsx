import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatTerm } from "../../../filter/term.js";
import { client } from "../../api.js";
import { UNCATEGORIZED } from "../../categories.js";
import { AssignCategory } from "../../filter/assign-category.js";
import { loadTitles, matchedTime } from "../../filter/match.js";
import { proposalForSite, timesOfTitles } from "../../filter/proposals.js";
import { dayAt, periodAround } from "../../period.js";
import { reportRequest } from "../../report.js";
import { currentCalendar } from "../../settings.js";
import { t } from "../../texts/filtered.js";
import { titleOf } from "../activity/names.js";
import { proposalsForEvent, siteOfEvent } from "./event-rule.js";
import type { Hit } from "./hits.js";

/** Assigns events like the selected one to a category. */
export function CategorizeEvent({ hit }: { readonly hit: Hit }): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  const proposals = proposalsForEvent(hit.lane.type, hit.data);
  const site = siteOfEvent(hit.lane.type, hit.data);
  // A page may have no title, but others of its site do.
  if (proposals.length === 0 && site === undefined) return null;
  const calendar = currentCalendar.value;
  const period = periodAround("day", dayAt(hit.start, calendar), calendar);
  const all = reportRequest(period, calendar, { kind: "all" }, []);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("belongsTo")}
      </button>
      {isOpen && (
        <AssignCategory
          proposals={proposals}
          period={titleOf(period)}
          match={(one, signal) => matchedTime(all, one, signal)}
          find={async (signal) => {
            const { categories } = await client.classify({ data: [hit.data] }, { signal });
            const found = { category: categories[0] ?? [UNCATEGORIZED], data: hit.data };
            if (site === undefined) return found;
            const filter = [formatTerm({ kind: "equals", path: ["site"], value: site, not: false })];
            const own = timesOfTitles(await loadTitles({ ...all, filter }, signal));
            const ofSite = proposalForSite(site, own, timesOfTitles(await loadTitles(all, signal)));
            if (ofSite !== undefined) return { ...found, proposals: [...proposals, ofSite] };
            return proposals.length > 0 ? found : { ...found, wordless: site };
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
