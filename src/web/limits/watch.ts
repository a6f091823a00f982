// Checks the limits every minute in which something changes, even while the page is hidden.
import { effect } from "@preact/signals";
import { client, isReachable, missingCredentials } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { ALL_CATEGORIES, labelOf } from "../categories.js";
import { formatRough } from "../format.js";
import { goals } from "../goals-state.js";
import { isFeedAlive, onFeed } from "../live/feed.js";
import { dayAt, periodAround } from "../period.js";
import { reportRequest } from "../report.js";
import { currentCalendar } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/goals.js";
import { defaultHosts } from "../views/activity/hosts.js";
import { notifyState, showNotification } from "./notify.js";
import { type Passed, passedLimits } from "./passed.js";

const MINUTE = 60_000;
/** Reported limits, shared by all tabs. */
const KEPT = "activity-server.limits";

/** Starts when there are limits and notifications are on. */
export function watchLimits(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let hasChanged = false;
  const stopFollowing = onFeed(() => {
    hasChanged = true;
  });
  const check = (): void => {
    hasChanged = false;
    void checkLimits();
  };
  const stop = effect(() => {
    const isOn = notifyState.value === "on" && goals.value.some(({ kind }) => kind === "limit");
    clearInterval(timer);
    if (!isOn) return;
    check();
    timer = setInterval(() => {
      if (hasChanged || !isFeedAlive.peek()) check();
    }, MINUTE);
  });
  return () => {
    stop();
    stopFollowing();
    clearInterval(timer);
  };
}

async function checkLimits(): Promise<void> {
  if (!isReachable.peek() || missingCredentials.peek() !== undefined) return;
  const hosts = defaultHosts(knownBuckets.peek());
  if (hosts === undefined) return;
  const calendar = currentCalendar.peek();
  const today = dayAt(Date.now(), calendar);
  const spentIn = async (kind: "day" | "week") => {
    const period = periodAround(kind, today, calendar);
    const groups = [ALL_CATEGORIES];
    const report = await client.report({ ...reportRequest(period, calendar, hosts, []), groups });
    const rows = report.groups["category"]?.rows ?? [];
    return { first: period.first, times: rows.map(({ name = [], own = 0 }) => ({ name, seconds: own })) };
  };
  // Views show failures; this check repeats.
  const spent = await Promise.all([spentIn("day"), spentIn("week")]).catch(() => undefined);
  if (spent !== undefined) note(passedLimits(goals.peek(), { day: spent[0], week: spent[1] }));
}

function note(passed: readonly Passed[]): void {
  const before = (localStorage.getItem(KEPT) ?? "").split("\n");
  for (const { key, category, limit, seconds } of passed) {
    if (before.includes(key)) continue;
    const name = category.length === 0 ? common("activeTime") : labelOf(category);
    showNotification(t("passed", { name }), t("passedBy", { time: formatRough(seconds), limit: formatRough(limit) }));
  }
  // Drops limits of other days.
  localStorage.setItem(KEPT, passed.map(({ key }) => key).join("\n"));
}
