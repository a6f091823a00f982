// Exports a timesheet as CSV and as a self-contained page. Pure.
import type { CsvCell } from "../../csv.js";
import { common } from "../../texts/common.js";
import { t as periods } from "../../texts/period.js";
import { t } from "../../texts/timesheet.js";
import { timeAt } from "../../wall-clock.js";
import type { Sheet } from "./sheet.js";
import { columnLabel, daysAfter, printLength, type SheetDocument, type Wording } from "./sheet-document.js";

/** Rows with a header. Numbers have a decimal point and times 24 hours, in every language. */
export function sheetRows(sheet: Sheet, document: SheetDocument, { choice, zone }: Wording): CsvCell[][] {
  const length = (seconds: number): CsvCell => {
    const text = printLength(seconds, choice, "en");
    return choice.form === "hours" ? Number(text) : text;
  };
  const clock = (instant: number | undefined, date: string): CsvCell =>
    instant === undefined ? "" : `${timeAt(instant, zone)}${daysAfter(instant, date, zone)}`;
  const head = [
    ...[periods("day"), ...sheet.columns.map(({ name }) => columnLabel(name, choice.by)), t("total")],
    ...[t("first"), t("last"), t("breaks"), ...(choice.titles ? [common("titles")] : []), t("notes")],
  ];
  const rows = sheet.days.map((day, index) => [
    ...[day.date, ...day.cells.map(length), length(day.total)],
    ...[clock(day.first, day.date), clock(day.last, day.date), length(day.breaks)],
    ...(choice.titles ? [day.titles.join("; ")] : []),
    notesOf(document, index).join("; "),
  ]);
  const sums = [t("sum"), ...sheet.sums.map(length), length(sheet.total), "", "", length(sheet.breaks)];
  return [head, ...rows, [...sums, ...(choice.titles ? [""] : []), ""]];
}

/** Notes of a day, each with its column. */
function notesOf({ rows, columns }: SheetDocument, index: number): string[] {
  return (rows[index]?.cells ?? []).flatMap(({ note }, at) => {
    if (note === undefined) return [];
    return [note.column === undefined ? note.text : `${columns[at + 1]?.label}: ${note.text}`];
  });
}

const STYLE = `
:root { color-scheme: light; }
body { margin: 24px; color: #18222e; background: #fff; font: 14px/1.4 system-ui, "Segoe UI", Roboto, sans-serif; }
h1 { margin: 0 0 2px; font-size: 20px; }
p { margin: 0 0 14px; color: #4a5767; }
table { border-collapse: collapse; min-width: 60%; }
th, td { padding: 5px 9px; border-bottom: 1px solid #d5dbe2; text-align: start; vertical-align: top; }
thead th { border-bottom: 2px solid #7a8797; }
tfoot th, tfoot td { border-top: 2px solid #7a8797; border-bottom: 0; font-weight: 600; }
tbody th, tfoot th { white-space: nowrap; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.note { display: block; max-width: 24ch; color: #4a5767; font-size: 12px; text-align: start; white-space: pre-wrap; }
ul { margin: 14px 0 0; padding-inline-start: 18px; color: #4a5767; font-size: 12px; }
tr { break-inside: avoid; }
@page { size: A4; margin: 15mm; }
@media print { body { margin: 0; font-size: 11px; } th, td { padding: 3px 6px; } }
`;

/** A page in one file, without scripts and external resources. */
export function sheetPage(document: SheetDocument, language: string, direction: "ltr" | "rtl"): string {
  const { heading, subject, columns, rows, sums, remarks } = document;
  const kind = (at: number): string => (columns[at]?.isNumeric ? ' class="number"' : "");
  const head = columns.map(({ label }, at) => `<th scope="col"${kind(at)}>${escaped(label)}</th>`).join("");
  const body = rows.map(({ day, date, cells }) => {
    const printed = cells.map(({ text, note }, at) => {
      const noted = note === undefined ? "" : `<span class="note">${escaped(note.text)}</span>`;
      return `<td${kind(at + 1)}>${escaped(text)}${noted}</td>`;
    });
    return `<tr><th scope="row"><time datetime="${escaped(date)}">${escaped(day)}</time></th>${printed.join("")}</tr>`;
  });
  const foot = sums.map((text, at) => `<td${kind(at + 1)}>${escaped(text)}</td>`).join("");
  return `<!doctype html>
<html lang="${escaped(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`${heading}, ${subject}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(heading)}</h1>
<p>${escaped(subject)}</p>
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
<tfoot><tr><th scope="row">${escaped(t("sum"))}</th>${foot}</tr></tfoot>
</table>
<ul>${remarks.map((remark) => `<li>${escaped(remark)}</li>`).join("")}</ul>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
