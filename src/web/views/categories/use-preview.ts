import type { JsonObject } from "../../../domain/json.js";
import { client } from "../../api.js";
import { buckets, knownBuckets } from "../../buckets.js";
import { type Category, type CategoryRule, isActive, printCategories } from "../../categories.js";
import { type Reloadable, useLoad } from "../../load.js";
import { dayAt, rangeOf } from "../../period.js";
import { type ReportRequest, reportKey, reportRequest } from "../../report.js";
import { currentCalendar } from "../../settings.js";
import { addDays } from "../../wall-clock.js";
import { choosableHosts } from "../activity/hosts.js";
import { PREVIEW_LISTS, type Preview, readPreview } from "./preview.js";

/** Number of days in the preview. */
export const PREVIEW_DAYS = 7;
/** Delay after typing before the preview is loaded. */
const PAUSE_MILLIS = 200;

/** A preview of a rule. */
export interface PreviewOf extends Preview {
  /** ID of the edited rule. */
  readonly of: string;
  /** Requests the days of the preview by its categories. */
  readonly recent: ReportRequest;
}

/** A preview, or the reason for its absence. */
export interface PreviewState {
  /** `undefined` without buckets of activity. */
  readonly preview: Reloadable<PreviewOf | undefined>;
  readonly isWithoutSources: boolean;
}

/** Requests recent days of all devices by these categories. */
function recentRequest(categories: readonly Category[]): ReportRequest {
  const calendar = currentCalendar.value;
  const today = dayAt(Date.now(), calendar);
  const period = rangeOf(addDays(today, 1 - PREVIEW_DAYS), today, calendar);
  return {
    ...reportRequest(period, calendar, { kind: "all" }, []),
    categories: printCategories({ categories, others: [] }) as JsonObject[],
  };
}

/**
 * Previews rules on recent days, whenever they change.
 *
 * @param of ID of the edited rule
 */
export function usePreview(
  categories: readonly Category[],
  edited: CategoryRule | undefined,
  of: string,
): PreviewState {
  const isEmpty = choosableHosts(knownBuckets.value).length === 0;
  const recent = recentRequest(categories);
  const request: ReportRequest = { ...recent, ...PREVIEW_LISTS };
  const rule = edited !== undefined && isActive(edited) ? { ...edited } : undefined;
  const preview = useLoad<PreviewOf | undefined>(
    // Before the buckets are loaded there is nothing to report, so their arrival must load again.
    isEmpty ? "" : reportKey({ ...request, ...(rule && { rule }) }) + of,
    async (signal) => {
      if (isEmpty) return undefined;
      await pause(signal);
      const whole = client.report(request, { signal });
      // The list has the edited rule as well. Its mistakes are shown at the form, so that they come first.
      whole.catch(() => undefined);
      const ofRule = rule && (await client.report({ ...request, rule }, { signal }));
      const all = await whole;
      return { ...readPreview(all, ofRule), of, recent };
    },
  );
  return { preview, isWithoutSources: isEmpty && buckets.value.state === "ready" };
}

/** Waits for a short time. @throws the reason of an aborted signal */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  signal.throwIfAborted();
}
