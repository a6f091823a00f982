import { client } from "../../api.js";
import { buckets, knownBuckets } from "../../buckets.js";
import { type Category, type CategoryRule, rulesOf } from "../../categories.js";
import { type Reloadable, useLoad } from "../../load.js";
import { dayAt, rangeOf } from "../../period.js";
import { alwaysActivePattern, currentCalendar } from "../../settings.js";
import { addDays } from "../../wall-clock.js";
import { sourceOf } from "../activity/source.js";
import { timeperiodOf } from "../query/period-choice.js";
import { type Preview, previewProgram, readPreview } from "./preview.js";

/** Number of days in the preview. */
export const PREVIEW_DAYS = 7;
/** Delay after typing before the preview is loaded. */
const PAUSE_MILLIS = 200;

/** A preview with the ID of the edited rule. */
export type PreviewOf = Preview & { readonly of: string };

/** A preview, or the reason for its absence. */
export interface PreviewState {
  /** `undefined` without window buckets. */
  readonly preview: Reloadable<PreviewOf | undefined>;
  readonly isWithoutSources: boolean;
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
  const { sources } = sourceOf({ kind: "all" }, knownBuckets.value);
  const calendar = currentCalendar.value;
  const today = dayAt(Date.now(), calendar);
  const timeperiod = timeperiodOf(rangeOf(addDays(today, 1 - PREVIEW_DAYS), today, calendar));
  const classifying = { rules: rulesOf(categories), alwaysActivePattern: alwaysActivePattern.value };
  const query = sources.length === 0 ? "" : previewProgram(sources, classifying, edited);
  const preview = useLoad<PreviewOf | undefined>(JSON.stringify([query, timeperiod, of]), async (signal) => {
    if (query === "") return undefined;
    await pause(signal);
    const [answer = null] = await client.query({ timeperiods: [timeperiod], query }, { signal });
    return { ...readPreview(answer), of };
  });
  return { preview, isWithoutSources: sources.length === 0 && buckets.value.state === "ready" };
}

/** Waits for a short time. @throws the reason of an aborted signal */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  signal.throwIfAborted();
}
