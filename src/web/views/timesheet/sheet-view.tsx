import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../../api.js";
import { knownBuckets } from "../../buckets.js";
import { datesOf, fileNameOf, printCsv } from "../../csv.js";
import { download } from "../../download.js";
import { shownValue, useLoad } from "../../load.js";
import { Busy } from "../../parts/busy.js";
import { Failure } from "../../parts/failure.js";
import { type Calendar, isCurrent, type Period, partsOfDays } from "../../period.js";
import { type ReportRequest, reportKey } from "../../report.js";
import { filterTexts, type Params } from "../../router.js";
import { common } from "../../texts/common.js";
import { direction, language } from "../../texts/language.js";
import { t } from "../../texts/timesheet.js";
import { titleOf } from "../activity/names.js";
import type { SheetChoice } from "./choice.js";
import type { SheetClient } from "./clients.js";
import { NoteDialog } from "./note-dialog.js";
import { type CellNote, NOTES_BUCKET, readNotes } from "./notes.js";
import { createSheet } from "./sheet.js";
import { type DocumentCell, documentOf, type Wording } from "./sheet-document.js";
import { sheetMarkdown, sheetPage, sheetRows } from "./sheet-files.js";
import { SheetTable } from "./sheet-table.js";

const DAY = 86_400_000;

export interface SheetViewProps {
  readonly period: Period;
  readonly calendar: Calendar;
  readonly choice: SheetChoice;
  readonly clients: readonly SheetClient[];
  /** Whether it is the sheet of a client, with or without amounts. */
  readonly isOfClient: boolean;
  /** Of the reports with the times. */
  readonly requests: readonly ReportRequest[];
  /** Unix milliseconds; a later value reloads a current period. */
  readonly now: number;
  /** Names of the hosts. */
  readonly hosts: readonly string[];
  /** Address parameters of the hosts, for links to a day. */
  readonly hostParams: Params;
}

/** A sheet as a table, and as files. */
export function SheetView(props: SheetViewProps): JSX.Element {
  const { period, calendar, choice, clients, isOfClient, requests, now, hosts, hostParams } = props;
  const days = partsOfDays(period, calendar);
  const asked = requests.map(reportKey).join();
  const key = `${asked}${isCurrent(period, now) ? now : ""}`;
  const answers = useLoad(key, async (signal) => {
    const reports = await Promise.all(requests.map((request) => client.report(request, { signal })));
    return { asked, days, bins: reports.map(({ bins }) => bins) };
  });
  const [round, setRound] = useState(0);
  const hasNotes = knownBuckets.value.some(({ id }) => id === NOTES_BUCKET);
  const notes = useLoad(JSON.stringify([period.start, period.end, hasNotes, round]), async (signal) =>
    hasNotes ? loadNotes(period, signal) : new Map<string, CellNote>(),
  );
  const [open, setOpen] = useState<{ readonly cell: DocumentCell; readonly what: string } | undefined>();

  if (answers.state === "failed")
    return <Failure error={answers.error} title={common("notLoaded")} retry={answers.retry} />;
  const shown = shownValue(answers);
  if (shown === undefined) return <Busy />;
  const sheet = createSheet(shown.days, shown.bins, choice, choice.amounts || isOfClient ? clients : []);
  const wording: Wording = {
    ...{ choice, hosts, zone: calendar.zone, startOfDay: calendar.startOfDay, period: titleOf(period) },
    ...{ filter: filterTexts.value, clients },
    notes: shownValue(notes) ?? new Map<string, CellNote>(),
  };
  const document = documentOf(sheet, wording);
  const isOld = shown.asked !== asked;
  const file = fileNameOf(document.heading, ...datesOf(period));
  return (
    <section class="card sheet" aria-label={document.heading} aria-busy={isOld} data-old={isOld}>
      <div class="row spread sheet-head">
        <div>
          <h2>
            <bdi>{document.heading}</bdi>
          </h2>
          <p class="sheet-period">{document.subject}</p>
          <p class="sheet-totals">{document.totals}</p>
        </div>
        <div class="row sheet-files">
          <button
            type="button"
            class="primary"
            disabled={isOld}
            onClick={() => download(`${file}.csv`, printCsv(sheetRows(document)), "text/csv;charset=utf-8")}
          >
            {common("csv")}
          </button>
          <button
            type="button"
            disabled={isOld}
            onClick={() => download(`${file}.md`, sheetMarkdown(document), "text/markdown;charset=utf-8")}
          >
            {t("markdown")}
          </button>
          <button
            type="button"
            disabled={isOld}
            onClick={() =>
              download(`${file}.html`, sheetPage(document, language.value, direction.value), "text/html;charset=utf-8")
            }
          >
            {t("html")}
          </button>
          <button type="button" disabled={isOld} onClick={() => printAs(file)}>
            {t("print")}
          </button>
        </div>
      </div>
      {notes.state === "failed" && <Failure error={notes.error} title={t("noNotes")} retry={notes.retry} />}
      <SheetTable document={document} hostParams={hostParams} onNote={(cell, what) => setOpen({ cell, what })} />
      <p class="hint sheet-help">{t("howToNote")}</p>
      <ul class="sheet-remarks">
        {document.remarks.map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
      </ul>
      {open?.cell.place !== undefined && (
        <NoteDialog
          place={open.cell.place}
          what={open.what}
          note={open.cell.note}
          start={sheet.days.find(({ date }) => date === open.cell.place?.date)?.start ?? period.start}
          onDone={() => setRound((count) => count + 1)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}

/** Prints the page. Browsers suggest its title as the name of a PDF. */
function printAs(title: string): void {
  const before = document.title;
  document.title = title;
  addEventListener("afterprint", () => (document.title = before), { once: true });
  print();
}

/** Loads notes by the date in their data, even if the start of days has changed since. */
async function loadNotes({ start, end }: Period, signal: AbortSignal): Promise<ReadonlyMap<string, CellNote>> {
  const range = { start: new Date(start - DAY), end: new Date(end + DAY) };
  return readNotes(await client.events.list(NOTES_BUCKET, range, { signal }));
}
