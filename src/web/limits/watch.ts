// Checks the limits every minute, even while the page is hidden.
import { effect } from "@preact/signals";
import { client, isReachable, missingCredentials } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { labelOf } from "../categories.js";
import { effectiveCategories } from "../category-state.js";
import { formatDuration } from "../format.js";
import { goals } from "../goals-state.js";
import { dayAt, periodAround } from "../period.js";
import { server } from "../server-facts.js";
import { alwaysActivePattern, currentCalendar } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/goals.js";
import { firstHost } from "../views/activity/hosts.js";
import { excludeRejected } from "../views/activity/rejected.js";
import { readCategoryTimes } from "../views/activity/results.js";
import { programOf, sourceOf } from "../views/activity/source.js";
import { notifyState, showNotification } from "./notify.js";
import { type Passed, passedLimits } from "./passed.js";

const MINUTE = 60_000;
/** Reported limits, shared by all tabs. */
const KEPT = "activity-server.limits";

/** Starts when there are limits and notifications are on. */
export function watchLimits(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = effect(() => {
    const isOn = notifyState.value === "on" && goals.value.some(({ kind }) => kind === "limit");
    clearInterval(timer);
    if (!isOn) return;
    void checkLimits();
    timer = setInterval(() => void checkLimits(), MINUTE);
  });
  return () => {
    stop();
    clearInterval(timer);
  };
}

async function checkLimits(): Promise<void> {
  if (!isReachable.peek() || missingCredentials.peek() !== undefined) return;
  const program = programNow();
  if (program === undefined) return;
  const now = Date.now();
  const calendar = currentCalendar.peek();
  const [day, week] = (["day", "week"] as const).map((kind) => periodAround(kind, dayAt(now, calendar), calendar));
  if (day === undefined || week === undefined) return;
  const timeperiods = [day, week].map(({ start }) => ({ start: new Date(start), end: new Date(now) }));
  // Views show failures; this check repeats.
  const answers = await client.query({ timeperiods, query: program }).catch(() => undefined);
  if (answers === undefined) return;
  const [ofDay, ofWeek] = answers.map((answer) => readCategoryTimes(answer));
  note(
    passedLimits(goals.peek(), {
      day: { first: day.first, times: ofDay ?? [] },
      week: { first: week.first, times: ofWeek ?? [] },
    }),
  );
}

function programNow(): string | undefined {
  const all = knownBuckets.peek();
  const host = firstHost(all, server.peek()?.info.hostname, Date.now());
  if (host === undefined) return undefined;
  const valid = excludeRejected({ categories: effectiveCategories.peek(), pattern: alwaysActivePattern.peek() });
  return programOf(sourceOf({ kind: "one", host }, all), valid.classifying, { onlyCategories: true });
}

function note(passed: readonly Passed[]): void {
  const before = (localStorage.getItem(KEPT) ?? "").split("\n");
  for (const { key, category, limit, seconds } of passed) {
    if (before.includes(key)) continue;
    const name = category.length === 0 ? common("activeTime") : labelOf(category);
    showNotification(
      t("passed", { name }),
      t("passedBy", { time: formatDuration(seconds), limit: formatDuration(limit) }),
    );
  }
  // Drops limits of other days.
  localStorage.setItem(KEPT, passed.map(({ key }) => key).join("\n"));
}
