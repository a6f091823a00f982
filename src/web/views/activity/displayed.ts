// State of a report while the next one is loading.
import { useEffect, useRef } from "preact/hooks";
import { client } from "../../api.js";
import { shownValue, useLoad } from "../../load.js";
import type { Period } from "../../period.js";
import { type Report, type ReportRequest, reportKey } from "../../report.js";

/** A report with its period, so that it is never shown for another one. */
export interface LoadedReport {
  readonly key: string;
  readonly period: Period;
  readonly report: Report;
}

/** Known state of a report. */
export interface Displayed {
  readonly value: LoadedReport | undefined;
  /** Whether it belongs to another request and is shown until the new one is answered. */
  readonly isOld: boolean;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
  retry(): void;
}

export function useReport(request: ReportRequest, period: Period): Displayed {
  const key = reportKey(request);
  const answer = useLoad(key, async (signal): Promise<LoadedReport> => {
    return { key, period, report: await client.report(request, { signal }) };
  });
  const { retry } = answer;
  const value = shownValue(answer);
  const failure = answer.state === "failed" ? { error: answer.error, retry } : undefined;
  const isOld = value !== undefined && value.key !== key;
  // A failure must not leave another period's numbers visible.
  return failure && isOld ? { value: undefined, isOld: false, failure, retry } : { value, isOld, failure, retry };
}

/** Calls back as time passes during the current period. */
export function useRefresh(isOn: boolean, now: number, refresh: () => void): void {
  const first = useRef(now);
  useEffect(() => {
    if (isOn && first.current !== now) refresh();
    first.current = now;
  }, [now]);
}
