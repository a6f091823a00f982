import type { JSX } from "preact";
import { client } from "../../api.js";
import { labelOf } from "../../categories.js";
import { shownValue, useLoad } from "../../load.js";
import { Bar } from "../../parts/bar.js";
import { Failure } from "../../parts/failure.js";
import { Skeleton } from "../../parts/skeleton.js";
import { type Calendar, isCurrent, partsOfDays } from "../../period.js";
import { reportKey, reportRequest } from "../../report.js";
import { settings } from "../../settings.js";
import { t as activity } from "../../texts/activity.js";
import { common } from "../../texts/common.js";
import { useRefresh } from "../activity/displayed.js";
import { choiceOf, TIMESHEET } from "../timesheet/choice.js";
import { CLIENTS, readClients } from "../timesheet/clients.js";
import { sheetRequests } from "../timesheet/requests.js";
import { createSheet } from "../timesheet/sheet.js";
import { printLength } from "../timesheet/sheet-document.js";
import type { TileSource } from "./source.js";

export interface TimesheetTileProps {
  readonly source: TileSource;
  readonly calendar: Calendar;
  readonly now: number;
}

/** The sums of a timesheet with the saved options. */
export function TimesheetTile({ source: { period, hosts, filter }, calendar, now }: TimesheetTileProps): JSX.Element {
  const choice = { ...choiceOf(new URLSearchParams(), settings.value[TIMESHEET]), titles: false };
  const requests = sheetRequests(reportRequest(period, calendar, hosts, filter), choice);
  const days = partsOfDays(period, calendar);
  const answer = useLoad(requests.map(reportKey).join(), async (signal) => {
    const reports = await Promise.all(requests.map((request) => client.report(request, { signal })));
    return { days, bins: reports.map(({ bins }) => bins) };
  });
  useRefresh(period, isCurrent(period, now), now, answer.retry);
  if (answer.state === "failed")
    return <Failure title={common("notLoaded")} error={answer.error} retry={answer.retry} />;
  const shown = shownValue(answer);
  if (shown === undefined) return <Skeleton lines={4} />;
  const clients = choice.amounts ? readClients(settings.value[CLIENTS]) : [];
  const { total, columns } = createSheet(shown.days, shown.bins, choice, clients);
  return (
    <>
      <p class="activity-tile">
        <strong>{printLength(total, choice)}</strong>
      </p>
      <ul class="bars">
        {columns.map(({ name, seconds }, at) => (
          <Bar
            key={at}
            label={name === undefined ? activity("others") : labelOf(name)}
            value={printLength(seconds, choice)}
            share={total > 0 ? seconds / total : 0}
          />
        ))}
      </ul>
    </>
  );
}
