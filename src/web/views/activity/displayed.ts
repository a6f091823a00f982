// State of a report while the next one is loading.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ClientEvent, ClientFeedMessage } from "../../../client/client-types.js";
import { countParts, sumUpYears } from "../../../client/report-parts.js";
import { createLinkedController } from "../../abort.js";
import { client } from "../../api.js";
import { isReset, reloadOnChanges } from "../../live/changes.js";
import { isFeedAlive } from "../../live/feed.js";
import { shownValue, useLoad } from "../../load.js";
import type { Period } from "../../period.js";
import { type Report, type ReportRequest, reportKey } from "../../report.js";

/** A report with its period, so that it is never shown for another one. */
export interface LoadedReport {
  readonly key: string;
  readonly period: Period;
  readonly report: Report;
}

interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** Known state of a report. */
export interface Displayed {
  readonly value: LoadedReport | undefined;
  /** Whether it belongs to another request and is shown until the new one is answered. */
  readonly isOld: boolean;
  /** From 0 to 1, while a long period takes long. */
  readonly progress: number | undefined;
  readonly failure: { readonly error: unknown; readonly retry: () => void } | undefined;
  retry(): Promise<void>;
}

/** A response that takes longer shows its progress, in milliseconds. */
const PATIENCE = 1000;

export function useReport(request: ReportRequest, period: Period): Displayed {
  const key = reportKey(request);
  const progress = useSignal<number | undefined>(undefined);
  const answer = useLoad(key, async (signal): Promise<LoadedReport> => {
    return { key, period, report: await readReport(request, signal, progress) };
  });
  const { retry } = answer;
  const value = shownValue(answer);
  const failure = answer.state === "failed" ? { error: answer.error, retry } : undefined;
  const isOld = value !== undefined && value.key !== key;
  // A failure must not leave another period's numbers visible.
  const shown = failure && isOld ? { value: undefined, isOld: false } : { value, isOld };
  return { ...shown, failure, retry, progress: progress.value };
}

/** Reads a report; in parts if it takes long. */
async function readReport(
  request: ReportRequest,
  signal: AbortSignal,
  progress: Signal<number | undefined>,
): Promise<Report> {
  progress.value = undefined;
  if (countParts(request) === 0) return client.report(request, { signal });
  const late = createLinkedController(signal);
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    return await client.report(request, { signal: late.signal });
  } catch (error) {
    if (signal.aborted || !late.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  const show = (done: number, parts: number): void => {
    if (!signal.aborted) progress.value = done / parts;
  };
  try {
    await sumUpYears(client.report, request, show, { signal });
    return await client.report(request, { signal });
  } finally {
    if (!signal.aborted) progress.value = undefined;
  }
}

/**
 * Reloads the numbers of a period after changes in a range of time. Without the live feed, reloads a current period
 * every minute.
 *
 * @param range Unix milliseconds
 */
export function useRefresh(range: TimeRange, isNow: boolean, now: number, reload: () => Promise<void>): void {
  const first = useRef(now);
  useEffect(() => {
    if (isNow && !isFeedAlive.peek() && first.current !== now) void reload();
    first.current = now;
  }, [now]);
  const latest = useRef({ range, reload });
  latest.current = { range, reload };
  useEffect(() => {
    const concerns = (message: ClientFeedMessage): boolean =>
      message.type === "events" || message.type === "bucket"
        ? !(isNewTime(message) && !isWithin(message.event, latest.current.range))
        : isReset(message);
    return reloadOnChanges(concerns, () => latest.current.reload());
  }, []);
}

type EventMessage = Extract<ClientFeedMessage, { readonly event: unknown }>;

/** Whether only the time of the event concerns. A replaced one may have been at another time. */
function isNewTime(message: ClientFeedMessage): message is EventMessage {
  return "event" in message && message.action !== "replaced";
}

function isWithin({ timestamp, duration }: ClientEvent, { start, end }: TimeRange): boolean {
  const from = Date.parse(timestamp);
  return from < end && from + duration * 1000 >= start;
}
