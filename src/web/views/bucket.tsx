import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEvent } from "../../client/client-types.js";
import { client } from "../api.js";
import { shownValue, useLoad } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { type Done, Notice } from "../parts/notice.js";
import { href, navigate, type Params, route } from "../router.js";
import { t } from "../texts/bucket.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { BucketFacts } from "./buckets/bucket-facts.js";
import { Changes, type Intent } from "./buckets/changes.js";
import { EventFilter, instantIn } from "./buckets/event-filter.js";
import { csvPath } from "./buckets/event-page.js";
import { type EventAction, EventTable } from "./buckets/event-table.js";
import { ExportLink } from "./buckets/export-link.js";
import { useNow } from "./buckets/now.js";
import { Pager } from "./buckets/pager.js";
import { type EventSelection, loadReading, type Reading, toPaged } from "./buckets/readings.js";

/** A bucket with its details and events. */
export default function BucketView(): JSX.Element {
  const { path, params } = route.value;
  const bucketId = path[1] ?? "";
  const [intent, setIntent] = useState<Intent>();
  const [done, setDone] = useState<Done>();
  const [opening, setOpening] = useState<unknown>();
  const now = useNow();
  const asked = parseAddress(bucketId, params);
  const { range } = asked;
  const loaded = useLoad(JSON.stringify(asked), (signal) => loadReading(asked, signal));
  const reading = shownValue(loaded);

  function go(changes: Params): void {
    // A new filter starts on the first page.
    const { page: _, ...rest } = Object.fromEntries(params);
    navigate(["buckets", bucketId], { ...rest, ...changes }, { replace: true });
  }
  function finish(what: Done): void {
    setDone(what);
    loaded.retry();
  }
  /** Reads the event again, since a watcher may have extended it. */
  async function act(kind: EventAction, { id }: ClientEvent): Promise<void> {
    setOpening(undefined);
    try {
      setIntent({ kind, event: await client.events.get(bucketId, id) });
    } catch (error) {
      setOpening(error);
    }
  }

  return (
    <div class="bucket-view">
      <header class="view-head">
        <p class="view-back">
          <a href={href(["buckets"])}>{shell("buckets")}</a>
        </p>
        <h1>{bucketId}</h1>
        {reading !== undefined && <Actions bucketId={bucketId} onIntent={setIntent} onReload={loaded.retry} />}
      </header>
      {loaded.state === "failed" && <Failure title={common("notLoaded")} error={loaded.error} retry={loaded.retry} />}
      {reading === undefined && loaded.state === "loading" && <Busy />}
      {reading !== undefined && (
        <>
          <section class="card" aria-label={t("about")}>
            <BucketFacts bucket={reading.bucket} count={reading.count} now={now} />
          </section>
          <Notice done={done} onClose={() => setDone(undefined)} />
          {opening !== undefined && <Failure title={common("notLoaded")} error={opening} />}
          <section class="card" aria-label={common("events")} aria-busy={loaded.state === "loading"}>
            <EventFilter params={params} onChange={go} />
            <p class="row">
              <ExportLink path={csvPath(bucketId, toPaged(asked))} label={common("csvOf", { what: bucketId })}>
                {common("csv")}
              </ExportLink>
              {(range.start ?? range.end) !== undefined && asked.text === "" && (
                <button type="button" class="danger" onClick={() => setIntent({ kind: "delete-range", range })}>
                  {common("askDelete")}
                </button>
              )}
            </p>
            <Events reading={reading} linkTo={(page) => pageLink(bucketId, params, page)} onAct={act} />
          </section>
          {intent !== undefined && (
            <Changes bucket={reading.bucket} intent={intent} onClose={() => setIntent(undefined)} onDone={finish} />
          )}
        </>
      )}
    </div>
  );
}

/** Parses an address. */
function parseAddress(bucketId: string, params: URLSearchParams): EventSelection {
  const page = /^[1-9]\d{0,9}$/.test(params.get("page") ?? "") ? Number(params.get("page")) - 1 : 0;
  return {
    bucketId,
    range: { start: instantIn(params.get("start")), end: instantIn(params.get("end")) },
    page,
    at: instantIn(params.get("at")),
    text: params.get("q") ?? "",
  };
}

function pageLink(bucketId: string, params: URLSearchParams, page: number): string {
  const { at: _, page: __, ...rest } = Object.fromEntries(params);
  return href(["buckets", bucketId], { ...rest, page: page === 0 ? undefined : String(page + 1) });
}

interface ActionsProps {
  readonly bucketId: string;
  readonly onIntent: (intent: Intent) => void;
  readonly onReload: () => void;
}

function Actions({ bucketId, onIntent, onReload }: ActionsProps): JSX.Element {
  return (
    <p class="row">
      <button type="button" onClick={onReload}>
        {common("refresh")}
      </button>
      <button type="button" onClick={() => onIntent({ kind: "add-event" })}>
        {t("addEvent")}
      </button>
      <button type="button" onClick={() => onIntent({ kind: "edit-bucket" })}>
        {t("editBucket")}
      </button>
      <ExportLink bucketId={bucketId} label={t("exportBucket")}>
        {common("export")}
      </ExportLink>
      <button type="button" class="danger" onClick={() => onIntent({ kind: "delete-bucket" })}>
        {t("deleteBucket")}
      </button>
    </p>
  );
}

interface EventsProps {
  readonly reading: Reading;
  readonly linkTo: (page: number) => string;
  readonly onAct: (action: EventAction, event: ClientEvent) => void;
}

function Events({ reading, linkTo, onAct }: EventsProps): JSX.Element {
  const { bucket, events, page, pages, total, marked, isFiltered, count } = reading;
  const pager = (label: string): JSX.Element => (
    <Pager {...{ page, pages, total, linkTo, label }} of={isFiltered ? "placeOfMatches" : "placeOfEvents"} />
  );
  if (total === 0) {
    return <p class="quiet">{t(count === 0 ? "noEvents" : "noMatch")}</p>;
  }
  return (
    <>
      {pager(t("pages"))}
      <EventTable type={bucket.type} events={events} marked={marked} onAct={onAct} />
      {events.length > 20 && pager(t("pagesBelow"))}
    </>
  );
}
