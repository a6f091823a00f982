import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { labelOf, UNCATEGORIZED } from "../../categories.js";
import { undoAssignment } from "../../filter/assign.js";
import { AssignCategory } from "../../filter/assign-category.js";
import { matchedTime } from "../../filter/match.js";
import { lastAction } from "../../filter/notice.js";
import { formatDuration } from "../../format.js";
import { dayAt, periodAround } from "../../period.js";
import { reportRequest } from "../../report.js";
import { currentCalendar } from "../../settings.js";
import { t } from "../../texts/filtered.js";
import { titleOf } from "../activity/names.js";
import { proposalsForEvent } from "./event-rule.js";
import type { Hit } from "./hits.js";

/** Assigns events like the selected one to a category. */
export function CategorizeEvent({ hit }: { readonly hit: Hit }): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  const proposals = proposalsForEvent(hit.lane.type, hit.data);
  if (proposals.length === 0) return null;
  const calendar = currentCalendar.value;
  const period = periodAround("day", dayAt(hit.start, calendar), calendar);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        {t("belongsTo")}
      </button>
      {isOpen && (
        <AssignCategory
          proposals={proposals}
          period={titleOf(period)}
          match={(one, signal) => matchedTime(reportRequest(period, calendar, { kind: "all" }, []), one, signal)}
          find={async (signal) => {
            const { categories } = await client.classify({ data: [hit.data] }, { signal });
            return { category: categories[0] ?? [UNCATEGORIZED], data: hit.data };
          }}
          onClose={() => setIsOpen(false)}
          onDone={(assigned, target, seconds) => {
            setIsOpen(false);
            lastAction.value = {
              say: () => t("moved", { time: formatDuration(seconds), name: labelOf(target) }),
              undo: () => undoAssignment(assigned),
            };
          }}
        />
      )}
    </>
  );
}
