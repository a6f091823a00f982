import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ClientBucket } from "../../client/index.js";
import { client, isReachable, missingCredentials, recoveries } from "../api.js";
import { buckets, knownBuckets, refreshBuckets } from "../buckets.js";
import { formatAge, formatDuration, shorten } from "../format.js";
import { pollWhileShown } from "../poll.js";
import { isAhead, lastOf } from "../reporting.js";
import { href, route } from "../router.js";
import { server } from "../server-facts.js";
import { RunningEntries } from "../stopwatch/strip.js";
import { t } from "../texts/shell.js";
import {
  type Activity,
  activityOf,
  groupWatchers,
  hostToShow,
  isTelling,
  isWatcher,
  lastSeen,
  type Watched,
  type WatcherStatus,
} from "./now.js";

/** Polling interval of the strip, in milliseconds. */
const EVERY = 10_000;
/** Buckets of watchers that were silent for longer are hidden, in milliseconds. */
const FORGOTTEN = 7 * 24 * 3_600_000;
/** Maximum number of watchers to poll. */
const MAX_WATCHERS = 12;
/** Events that start later are ignored, in milliseconds. Clocks may differ. */
const MAX_AHEAD = 24 * 3_600_000;
const LONGEST_TEXT = 200;
/** Address parameter of the selected host. */
const CHOSEN = "host";

interface Seen {
  readonly host: string;
  readonly activity: Activity | undefined;
  readonly watchers: readonly WatcherStatus[];
}

/** `undefined` until the first responses. */
const seen: Signal<Seen | undefined> = signal(undefined);

/** Shows the current activity, and whether each watcher reports. Does not poll while the page is hidden. */
export function Live(): JSX.Element {
  const recovered = recoveries.value;
  useEffect(
    () => pollWhileShown(loadWatched, () => (isReachable.value ? EVERY : 3000)),
    [recovered, route.value.params.get(CHOSEN)],
  );
  const isEmpty = buckets.value.state === "ready" && knownBuckets.value.length === 0;
  const now = seen.value;
  if (!isReachable.value) {
    return (
      <section class="live" aria-label={t("now")}>
        <p class="live-now warn">{t("retrying")}</p>
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
      <span class="quiet live-lasting">{t("lasting", { time: formatDuration(seconds) })}</span>
    </>
  );
}

async function loadWatched(current: AbortSignal): Promise<void> {
  // Without the key, polling is useless.
  if (missingCredentials.peek() !== undefined) return;
  await refreshBuckets();
  if (buckets.value.state !== "ready") return;
  const now = Date.now();
  const ask = async (bucket: ClientBucket): Promise<Watched> => {
    const range = { limit: 1, end: new Date(now + MAX_AHEAD) };
    const [newest] = await client.events.list(bucket.id, range, { signal: current });
    return { bucket, newest };
  };
  // For most buckets the time of the last report is known.
  const known = knownBuckets.value.filter(isWatcher).sort((a, b) => lastOf(a) - lastOf(b));
  const odd = known.filter((bucket) => isAhead(bucket, now)).slice(0, MAX_WATCHERS);
  const asked = new Map(await Promise.all(odd.map(async (bucket) => [bucket.id, await ask(bucket)] as const)));
  const all = known.map((bucket): Watched => asked.get(bucket.id) ?? { bucket, newest: undefined });
  const wanted = [route.peek().params.get(CHOSEN), server.value?.info.hostname];
  const host = hostToShow(all, wanted, { now, forgottenMillis: FORGOTTEN });
  const watchers = all
    .filter((one) => one.bucket.hostname === host && now - lastSeen(one, now) < FORGOTTEN)
    .sort((a, b) => lastSeen(b, now) - lastSeen(a, now))
    .slice(0, MAX_WATCHERS);
  const watched = await Promise.all(
    watchers.map((one) => (one.newest === undefined && isTelling(one, watchers, now) ? ask(one.bucket) : one)),
  );
  const shown = Date.now();
  seen.value = { host, activity: activityOf(watched, shown), watchers: groupWatchers(watched, shown) };
}
