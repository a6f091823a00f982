import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeFailure } from "../api.js";
import { fileNameOf } from "../csv.js";
import { download } from "../download.js";
import { filterTexts } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";
import { lastAction } from "./notice.js";

export interface CsvProps {
  /** Name of the period. */
  readonly name: string;
  readonly load: () => Promise<string>;
}

/** Downloads the results of a filter as CSV. Failures are shown in the notice. */
export function Csv({ name, load }: CsvProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  async function give(): Promise<void> {
    setBusy(true);
    try {
      const file = `${fileNameOf(filterTexts.peek().join("-"), name)}.csv`;
      download(file, await load(), "text/csv;charset=utf-8");
    } catch (error) {
      lastAction.value = { say: () => t("noCsv", { reason: describeFailure(error) }) };
    } finally {
      setBusy(false);
    }
  }
  return (
    <button type="button" aria-label={t("csvWhat")} disabled={isBusy} onClick={() => void give()}>
      {common("csv")}
    </button>
  );
}
