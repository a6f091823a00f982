import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { knownBuckets } from "../buckets.js";
import { printCsv } from "../csv.js";
import { lazy } from "../parts/lazy.js";
import { type Calendar, type Period, routeOfPeriod } from "../period.js";
import { filterTexts, href, route } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";
import { choosableHosts, type Hosts, hostnamesOf } from "../views/activity/hosts.js";
import type { AssignFilterProps } from "./assign-filter.js";
import { canAssign } from "./can-assign.js";
import { Csv } from "./csv.js";
import { DeleteFound } from "./delete-found.js";
import { filterTerms } from "./state.js";
import { loadTable } from "./table.js";

export interface ActionsProps {
  readonly hosts: Hosts;
  readonly period: Period;
  readonly calendar: Calendar;
  /** Name of the period. */
  readonly name: string;
  /** Displayed time of the results; `undefined` until known. */
  readonly seconds: number | undefined;
  /** Called when stored data have changed. */
  readonly onChange: () => void;
}

const AssignFilter = lazy<AssignFilterProps>(async () => (await import("./assign-filter.js")).AssignFilter);

/** Actions for the results of the filter. */
export function Actions({ hosts, period, calendar, name, seconds, onChange }: ActionsProps): JSX.Element {
  const [isAssigning, setAssigning] = useState(false);
  const isAssignable = canAssign(filterTerms.value) && choosableHosts(knownBuckets.value).length > 0;
  return (
    <div class="row filter-actions">
      <button
        type="button"
        disabled={!isAssignable}
        title={isAssignable ? undefined : t("noRule")}
        onClick={() => setAssigning(true)}
      >
        {t("belongs")}
      </button>
      <a
        class="button"
        href={href(["search", ...routeOfPeriod(period)], { host: route.value.params.get("host") ?? undefined })}
      >
        {common("events")}
      </a>
      <DeleteFound
        filter={filterTexts.value}
        period={period}
        hosts={hostnamesOf(hosts)}
        zone={calendar.zone}
        shown={seconds === undefined ? undefined : { seconds }}
        onDone={onChange}
      />
      <Csv name={name} load={async () => printCsv(await loadTable(period, calendar, hosts))} />
      {isAssigning && isAssignable && (
        <AssignFilter {...{ hosts, period, calendar, name }} onClose={() => setAssigning(false)} />
      )}
    </div>
  );
}
