import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ClientSearch, ClientSearchRows } from "../../client/client-types.js";
import type { ClientSearchEvent } from "../../client/index.js";
import { ask, client } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { printCsv } from "../csv.js";
import { formatDuration, shorten } from "../format.js";
import { useMinutes } from "../minutes.js";
import { Failure } from "../parts/failure.js";
import { lazy } from "../parts/lazy.js";
import { Table } from "../parts/table.js";
import { type Calendar, dayAt, type Period, routeOfPeriod } from "../period.js";
import { reportRequest } from "../report.js";
import { filterTexts, href, type Params, route } from "../router.js";
import { currentCalendar, settings } from "../settings.js";
import { common } from "../texts/common.js";
import { t as periods } from "../texts/period.js";
import { t } from "../texts/search.js";
import { HostPicker } from "./activity/host-picker.js";
import { choosableHosts } from "./activity/hosts.js";
import { titleOf } from "./activity/names.js";
import { Toolbar } from "./activity/toolbar.js";
import type { ActionsProps } from "./search/actions.js";
import { hostsOf, useActiveTotal } from "./search/active-total.js";
import {
  createSearch,
  detailType,
  firstLimit,
  INITIAL_ROWS,
  parseSearchAddress,
  type SearchAddress,
  VIEW,
  WAYS,
  type Way,
} from "./search/address.js";
import { eventColumns, groupColumns } from "./search/columns.js";
import { countedOnce, reportOfGroups } from "./search/counted-once.js";
import { type FoundGroup, groupEvents } from "./search/first-found.js";
import { searchGroups, tableOf } from "./search/groups.js";
import { type Found, useSearch } from "./search/load-search.js";
import { mergeMoments } from "./search/moments.js";
import { searchEvents } from "./search/prefetch.js";

const Actions = lazy<ActionsProps>(async () => (await import("./search/actions.js")).Actions);

/** Factor by which each click increases the number of rows. */
const MORE = 5;

/** Searches all buckets: results by title, app, page, file or day, or as events. */
export default function SearchView(): JSX.Element {
  const now = useMinutes();
  const { params } = route.value;
  const calendar = currentCalendar.value;
  const address = parseSearchAddress(route.value, calendar, now);
  if (address === undefined) {
    return (
      <section class="card">
        <h1>{t("title")}</h1>
        <p>
          {t("noPeriod")} <a href={href([VIEW])}>{periods("now_year")}</a>
        </p>
      </section>
    );
  }
  const { period, way, host } = address;
  const names = choosableHosts(knownBuckets.value);
  const kept: Params = { host, by: params.get("by") ?? undefined };
  return (
    <div class="activity search">
      <Toolbar
        {...{ period, calendar, now, params: kept }}
        view={[VIEW]}
        hosts={
          names.length > 1 || host !== undefined ? (
            <HostPicker
              names={names}
              chosen={host === undefined ? { kind: "all" } : { kind: "one", host }}
              path={[VIEW, ...routeOfPeriod(period)]}
              params={{ by: kept["by"] }}
            />
          ) : (
            <></>
          )
        }
      />
      {filterTexts.value.length === 0 ? (
        <p class="card quiet">
          {t.rich("prompt", { app: <code>app=Code</code>, pattern: <code>{"title~/^PROJ-\\d+/"}</code> })}
        </p>
      ) : (
        <Results key={way} {...{ asked: address, calendar }} />
      )}
    </div>
  );
}

interface ResultsProps {
  readonly asked: SearchAddress;
  readonly calendar: Calendar;
}

function Results({ asked, calendar }: ResultsProps): JSX.Element {
  const { period, way, host } = asked;
  const [limit, setLimit] = useState(INITIAL_ROWS);
  /** Number of changes of stored data made here. */
  const [round, setRound] = useState(0);
  const filter = filterTexts.value;
  const narrow = createSearch(filter, asked, calendar, knownBuckets.value);
  /** The last search in which no window matched, so that pages and files are searched instead. */
  const [empty, setEmpty] = useState("");
  const isEmpty = empty === JSON.stringify(narrow);
  const search = isEmpty ? createSearch(filter, asked, calendar) : narrow;
  const base = reportRequest(period, calendar, hostsOf(asked));
  function countedGroups(
    one: Exclude<Way, "events">,
    most?: number,
    signal?: AbortSignal,
  ): ClientSearchRows<FoundGroup> {
    const limited = most === undefined ? search : { ...search, limit: most };
    return countedOnce(searchGroups(one, limited, signal), {
      ...{ way: one, limit: most, isBesideWindows: isEmpty || detailType(filter) !== undefined },
      // The rows are useful without it.
      report: client.report(reportOfGroups(base, one, most), { signal }).catch(() => undefined),
      dayAt: (instant) => dayAt(instant, calendar),
    });
  }
  // Groups have times of a report, which depends on settings.
  const key = JSON.stringify([search, way, round, way !== "events" && settings.value]);
  const found = useSearch<ClientSearchEvent | FoundGroup>(key, limit, {
    search: (signal) =>
      way === "events" ? searchEvents({ ...search, limit }, signal) : countedGroups(way, limit, signal),
    // Groups arrive after everything is counted, longest first; events arrive earlier.
    ...(way !== "events" && {
      first: (signal) => groupEvents(searchEvents({ ...search, limit: firstLimit(way) }, signal), way, calendar),
    }),
  });
  const { rows, summary, isBusy, error } = found;
  const isInVain = !isBusy && summary?.events === 0 && narrow.bucket !== undefined && way !== "url" && way !== "file";
  useEffect(() => {
    if (isInVain) setEmpty(JSON.stringify(narrow));
  }, [isInVain]);
  const active = useActiveTotal(asked, way === "events" ? summary : undefined);
  // Groups have the total of their report; time without windows has the search's own.
  const seconds = active === 0 || way !== "events" ? summary?.seconds : active;
  const showing = { zone: calendar.zone, params: { host } };
  const caption = `${filter.join(", ")}: ${t(`by_${way}`)}`;
  // An event has a row for each active part of it.
  const isAll = summary?.groups === undefined ? rows.length < limit : rows.length >= summary.groups;
  return (
    <>
      <div class="filter-head">
        <Answer {...{ found, seconds, period }} />
        <div class="row">
          <Actions
            {...{ filter, period }}
            loadCsv={async () =>
              way === "events" ? eventsAsCsv(search) : printCsv(await tableOf(way, countedGroups(way)))
            }
            hosts={host === undefined ? undefined : [host]}
            zone={calendar.zone}
            // Events of other buckets are not in the list, so that their number shows nothing.
            shown={
              summary && seconds !== undefined
                ? { seconds, ...(search.bucket === undefined && { events: summary.events }) }
                : undefined
            }
            onDone={() => setRound((before) => before + 1)}
          />
          <a
            class="button"
            href={href(routeOfPeriod(period), { host, hosts: hostsOf(asked).kind === "all" ? "all" : undefined })}
          >
            {common("activeTime")}
          </a>
        </div>
      </div>
      <section class="card" aria-busy={isBusy}>
        <nav class="activity-kinds search-ways" aria-label={t("by")}>
          {WAYS.map((one) => (
            <a
              key={one}
              href={href([VIEW, ...routeOfPeriod(period)], { host, by: one })}
              aria-current={one === way ? "page" : undefined}
            >
              {t(`by_${one}`)}
            </a>
          ))}
        </nav>
        {error !== undefined && <Failure title={t("failed")} error={error} />}
        {rows.length === 0 && error === undefined && <Empty isBusy={isBusy} />}
        {rows.length > 0 && way === "events" && (
          <div class="search-events">
            <Table
              caption={caption}
              columns={eventColumns(showing)}
              rows={mergeMoments(rows.filter(isEvent), knownBuckets.value)}
            />
          </div>
        )}
        {rows.length > 0 && way !== "events" && (
          <div class="search-groups">
            <Table caption={caption} columns={groupColumns(way, showing)} rows={rows.filter(isGroup)} />
          </div>
        )}
        {!isAll && !isBusy && rows.length > 0 && (
          <button type="button" onClick={() => setLimit(limit * MORE)}>
            {common("more")}
          </button>
        )}
        {/* Otherwise it would move with each new row. */}
        {!isBusy && (
          <p class="hint">
            {t("hint")}{" "}
            {way === "title" && rows.some((row) => isGroup(row) && row.key?.includes("#")) && common("anyNumber")}
          </p>
        )}
      </section>
    </>
  );
}

function isEvent(row: ClientSearchEvent | FoundGroup): row is ClientSearchEvent {
  return "data" in row;
}

function isGroup(row: ClientSearchEvent | FoundGroup): row is FoundGroup {
  return "key" in row;
}

function Empty({ isBusy }: { readonly isBusy: boolean }): JSX.Element {
  if (isBusy) return <p class="quiet">{t("searching")}</p>;
  return (
    <p>
      {t("nothing")} <span class="quiet">{t("nothingHint")}</span>
    </p>
  );
}

interface AnswerProps {
  readonly found: Found<unknown>;
  /** Active time of the results without overlaps; `undefined` until known. */
  readonly seconds: number | undefined;
  readonly period: Period;
}

function Answer({ found: { summary, isBusy }, seconds, period }: AnswerProps): JSX.Element {
  const parts = [shorten(filterTexts.value.join(" · "), 120), titleOf(period)];
  if (summary === undefined && isBusy) parts.push(common("counting"));
  if (summary !== undefined) {
    parts.push(common("eventCount", { count: summary.events }), seconds === undefined ? "…" : formatDuration(seconds));
    parts.push(common("days", { count: summary.days }));
  }
  return (
    <p class="filter-answer" role="status">
      {parts.flatMap((part, at) => [at > 0 && " · ", <bdi key={part}>{part}</bdi>])}
    </p>
  );
}

/** A link would not send the session, so the page downloads the table. */
async function eventsAsCsv(search: ClientSearch): Promise<string> {
  const query = new URLSearchParams({ format: "csv" });
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(key, one instanceof Date ? one.toISOString() : String(one));
    }
  }
  const response = await ask(`api/0/search?${query}`);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.text();
}
