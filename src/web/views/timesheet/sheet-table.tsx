import type { JSX } from "preact";
import { HorizontalScroll } from "../../parts/horizontal-scroll.js";
import { href, type Params } from "../../router.js";
import { t } from "../../texts/timesheet.js";
import type { DocumentCell, SheetDocument } from "./sheet-document.js";

/** Minimum number of columns for printing in landscape. */
const WIDE = 11;

export interface SheetTableProps {
  readonly document: SheetDocument;
  readonly hostParams: Params;
  readonly onNote: (cell: DocumentCell, what: string) => void;
}

/** The sheet. Each cell that can have a note is a button that opens it. */
export function SheetTable({ document, hostParams, onNote }: SheetTableProps): JSX.Element {
  const { heading, subject, columns, rows, sums } = document;
  const kind = (at: number): string | undefined => (columns[at]?.isNumeric ? "number" : undefined);
  return (
    <HorizontalScroll label={t("table")} kind={columns.length >= WIDE ? "is-wide" : undefined}>
      <table class="sheet-table">
        <caption class="unseen">{`${heading}, ${subject}`}</caption>
        <thead>
          <tr>
            {columns.map(({ label }, at) => (
              <th key={at} scope="col" class={kind(at)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ date, day, cells }) => (
            <tr key={date}>
              <th scope="row">
                <a href={href(["day", date], hostParams)}>{day}</a>
              </th>
              {cells.map((cell, at) => (
                <td key={at} class={kind(at + 1)}>
                  <Cell
                    cell={cell}
                    what={t("cell", { day, column: columns[at + 1]?.label ?? "" })}
                    onNote={(what) => onNote(cell, what)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("sum")}</th>
            {sums.map(({ text }, at) => (
              <td key={at} class={kind(at + 1)}>
                {text}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </HorizontalScroll>
  );
}

interface CellProps {
  readonly cell: DocumentCell;
  readonly what: string;
  readonly onNote: (what: string) => void;
}

function Cell({ cell: { text, place, note }, what, onNote }: CellProps): JSX.Element {
  if (place === undefined) return <>{text}</>;
  return (
    <button
      type="button"
      class="sheet-cell"
      data-noted={note !== undefined}
      title={note === undefined ? t("addNote") : t("editNote")}
      aria-label={`${what}, ${text}. ${note === undefined ? t("addNote") : t("editNote")}`}
      onClick={() => onNote(what)}
    >
      {text}
    </button>
  );
}
