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

/** Days that rules are tried on. */
export const PREVIEW_DAYS = 7;
/** So long nobody must type before the server is asked. */
const PAUSE_MILLIS = 200;

/** A preview, with what tells whose rule was the edited one. */
export type PreviewOf = Preview & { readonly of: string };

/** A preview, and why there may be none. */
export interface PreviewState {
  /** `undefined` where no windows are watched. */
  readonly preview: Reloadable<PreviewOf | undefined>;
  readonly isWithoutSources: boolean;
}

/**
 * Tries rules on the last days, whenever they change.
 *
 * @param of tells whose rule the edited one is
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

/** Waits a moment. @throws what the signal says when it is not worth waiting any longer */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  signal.throwIfAborted();
}
