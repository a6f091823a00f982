// Exports a timesheet as CSV, as Markdown and as a self-contained page, all with the columns of the table. Pure.
import type { CsvCell } from "../../csv.js";
import { t } from "../../texts/timesheet.js";
import type { SheetDocument } from "./sheet-document.js";

/** Rows of CSV, with a header. */
export function sheetRows({ columns, rows, sums }: SheetDocument): readonly (readonly CsvCell[])[] {
  return [
    columns.map(({ label }) => label),
    ...rows.map(({ date, cells }) => [date, ...cells.map(({ value }) => value)]),
    [t("sum"), ...sums.map(({ value }) => value)],
  ];
}

/** A Markdown document with a table. */
export function sheetMarkdown({ heading, subject, totals, columns, rows, sums, remarks }: SheetDocument): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(plain).join(" | ")} |`;
  return [
    ...[`# ${plain(heading)}`, "", plain(subject), "", plain(totals), ""],
    line(columns.map(({ label }) => label)),
    `|${columns.map(({ isNumeric }) => (isNumeric ? "---:" : "---")).join("|")}|`,
    ...rows.map(({ day, cells }) => line([day, ...cells.map(({ text }) => text)])),
    ...[line([t("sum"), ...sums.map(({ text }) => text)]), "", ...remarks.map((remark) => `- ${plain(remark)}`), ""],
  ].join("\n");
}

/** A text without markup, in one line. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#~]/g, "\\$&");
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
.total { color: #18222e; font-weight: 600; }
td { white-space: pre-wrap; }
ul { margin: 14px 0 0; padding-inline-start: 18px; color: #4a5767; font-size: 12px; }
tr { break-inside: avoid; }
@page { size: A4; margin: 15mm; }
@media print { body { margin: 0; font-size: 11px; } th, td { padding: 3px 6px; } }
`;

/** A page in one file, without scripts and external resources. */
export function sheetPage(document: SheetDocument, language: string, direction: "ltr" | "rtl"): string {
  const { heading, subject, totals, columns, rows, sums, remarks } = document;
  const kind = (at: number): string => (columns[at]?.isNumeric ? ' class="number"' : "");
  const head = columns.map(({ label }, at) => `<th scope="col"${kind(at)}>${escaped(label)}</th>`).join("");
  const body = rows.map(({ day, date, cells }) => {
    const printed = cells.map(({ text }, at) => `<td${kind(at + 1)}>${escaped(text)}</td>`);
    return `<tr><th scope="row"><time datetime="${escaped(date)}">${escaped(day)}</time></th>${printed.join("")}</tr>`;
  });
  const foot = sums.map(({ text }, at) => `<td${kind(at + 1)}>${escaped(text)}</td>`).join("");
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
<h1><bdi>${escaped(heading)}</bdi></h1>
<p>${escaped(subject)}</p>
<p class="total">${escaped(totals)}</p>
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
