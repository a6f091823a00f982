import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeFailure } from "../api.js";
import { type CsvCell, fileNameOf, printCsv } from "../csv.js";
import { download } from "../download.js";
import { common } from "../texts/common.js";

type CsvRows = readonly (readonly CsvCell[])[];

export interface CsvButtonProps {
  /** Name of the table and the file. */
  readonly name: string;
  /** Dates of the period, for the file name. */
  readonly dates?: readonly string[] | undefined;
  /** Rows, the header first. Called on a click. */
  readonly rows: () => CsvRows | Promise<CsvRows>;
}

/** Downloads a table as CSV. */
export function CsvButton({ name, dates = [], rows }: CsvButtonProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  async function give(): Promise<void> {
    try {
      download(`${fileNameOf(name, ...dates)}.csv`, printCsv(await rows()), "text/csv;charset=utf-8");
      setError(undefined);
    } catch (thrown) {
      setError(thrown);
    }
  }
  return (
    <>
      <button type="button" class="csv" aria-label={common("csvOf", { what: name })} onClick={give}>
        {common("csv")}
      </button>
      {error !== undefined && <span role="status">{describeFailure(error)}</span>}
    </>
  );
}
