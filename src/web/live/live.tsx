import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { isReachable } from "../api.js";
import { buckets, knownBuckets } from "../buckets.js";
import { formatAge, formatRough, shorten } from "../format.js";
import { pollWhileShown } from "../poll.js";
import { recoveries } from "../recoveries.js";
import { href, route } from "../router.js";
import { RunningEntries } from "../stopwatch/strip.js";
import { t } from "../texts/shell.js";
import { feedLosses, isFeedAlive } from "./feed.js";
import type { Activity, WatcherStatus } from "./now.js";
import { CHOSEN, loadWatched, type Seen, seen, showSeen } from "./seen.js";

/** Polling interval of the strip without the live feed, in milliseconds. */
const EVERY = 10_000;
const LONGEST_TEXT = 200;

function pauseOfPolling(): number | undefined {
  if (isFeedAlive.peek()) return undefined;
  return isReachable.peek() ? EVERY : 3000;
}

/** Shows the current activity, and whether each watcher reports. */
export function Live(): JSX.Element {
  useEffect(
    () => pollWhileShown(loadWatched, pauseOfPolling),
    [recoveries.value, feedLosses.value, route.value.params.get(CHOSEN)],
  );
  useEffect(() => {
    const timer = setInterval(showSeen, EVERY);
    return () => clearInterval(timer);
  }, []);
  const isEmpty = buckets.value.state === "ready" && knownBuckets.value.length === 0;
  const now = seen.value;
  if (!isReachable.value) {
    return (
      <section class="live" aria-label={t("now")}>
        <p class="live-now warn" role="status">
          {t("retrying")}
        </p>
      </section>
    );
  }
  return (
    <section class="live" aria-label={t("now")}>
      {isEmpty || now === undefined ? (
        <p class="live-now quiet">{isEmpty ? t("noReportYet") : " "}</p>
      ) : (
        <Strip {...now} />
      )}
    </section>
  );
}

function Strip({ host, activity, watchers }: Seen): JSX.Element {
  return (
    <>
      <p class="live-now">
        <span class="quiet">{shorten(host || t("now"), 60)}:</span>
        {activity === undefined ? <span>{t("noWatcher")}</span> : <Doing activity={activity} />}
        <RunningEntries />
      </p>
      <ul class="live-watchers" aria-label={t("watchers")}>
        {watchers.map((standing) => (
          <Watcher key={standing.label} {...standing} />
        ))}
      </ul>
    </>
  );
}

function Watcher({ bucketIds, label, reporting, ageSeconds }: WatcherStatus): JSX.Element {
  const [id = ""] = bucketIds;
  const isOn = reporting > 0;
  const count =
    reporting === 0 || reporting === bucketIds.length ? bucketIds.length : `${reporting}/${bucketIds.length}`;
  return (
    <li title={bucketIds.join("\n")}>
      <span class={isOn ? "live-dot is-on" : "live-dot"} aria-hidden="true" />
      <a href={href(["buckets", id])}>{isKnown(label) ? t(label) : label}</a>
      {bucketIds.length > 1 && <span class="quiet"> {count}</span>}{" "}
      <span class={isOn ? "unseen" : "quiet live-age"}>{isOn ? t("reports") : describeSilence(ageSeconds)}</span>
    </li>
  );
}

function isKnown(label: string): label is "window" | "afk" | "web" | "editor" {
  return ["window", "afk", "web", "editor"].includes(label);
}

function describeSilence(ageSeconds: number | undefined): string {
  return ageSeconds === undefined ? t("emptyBucket") : t("silent", { age: formatAge(ageSeconds) });
}

function Doing({ activity }: { readonly activity: Activity }): JSX.Element {
  const { isAway, text, seconds } = activity;
  const what = isAway ? t("away") : text || t("present");
  return (
    <>
      <strong title={what.slice(0, 1000)}>{shorten(what, LONGEST_TEXT)}</strong>
      <span class="quiet live-lasting">{t("lasting", { time: formatRough(seconds) })}</span>
    </>
  );
}
