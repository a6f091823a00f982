import type { JSX } from "preact";
import { type CsvCell, fileNameOf, printCsv } from "../csv.js";
import { download } from "../download.js";

const texts = {
  csv: "CSV",
  what: (name: string): string => `CSV of ${name}`,
};

export interface CsvButtonProps {
  /** What the table is called, and the file. */
  readonly name: string;
  /** The head first; asked for when the button is pressed. */
  readonly rows: () => readonly (readonly CsvCell[])[];
}

/** Gives a table away as a file for spreadsheets. */
export function CsvButton({ name, rows }: CsvButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class="csv"
      aria-label={texts.what(name)}
      onClick={() => download(`${fileNameOf(name)}.csv`, printCsv(rows()), "text/csv;charset=utf-8")}
    >
      {texts.csv}
    </button>
  );
}
