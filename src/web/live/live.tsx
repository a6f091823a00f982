import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { client, isReachable, keyWanted, recoveries } from "../api.js";
import { buckets, hosts, knownBuckets, refreshBuckets } from "../buckets.js";
import { formatAge, formatDuration, shorten } from "../format.js";
import { pollWhileShown } from "../poll.js";
import { lastOf } from "../reporting.js";
import { href } from "../router.js";
import { server } from "../server-facts.js";
import { type Activity, activityOf, isWatcher, type Standing, standings, type Watched } from "./now.js";

/** How often the strip asks, in milliseconds. */
const EVERY = 10_000;
/** Buckets of watchers that have been silent for longer are left out, in milliseconds. */
const FORGOTTEN = 7 * 24 * 3_600_000;
/** Browsers and editors come in numbers; the strip is one line. */
const MOST_WATCHERS = 8;
const LONGEST_TEXT = 200;

interface Seen {
  readonly host: string;
  readonly activity: Activity | undefined;
  readonly watchers: readonly Standing[];
}

/** `undefined` until the first answers are there. */
const seen: Signal<Seen | undefined> = signal(undefined);

/** What goes on now, and whether each watcher still reports. It asks nothing while nobody looks. */
export function Live(): JSX.Element {
  const recovered = recoveries.value;
  useEffect(() => pollWhileShown(look, () => (isReachable.value ? EVERY : 3000)), [recovered]);
  const isEmpty = buckets.value.state === "ready" && knownBuckets.value.length === 0;
  const now = seen.value;
  if (!isReachable.value) {
    return (
      <section class="live" aria-label="Now">
        <p class="live-now warn">The server does not answer. This page tries again by itself.</p>
      </section>
    );
  }
  return (
    <section class="live" aria-label="Now">
      {isEmpty || now === undefined ? (
        <p class="live-now quiet">{isEmpty ? "No watcher has reported yet." : " "}</p>
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
        <span class="quiet">{shorten(host || "Now", 60)}:</span>
        {activity === undefined ? <span>nobody reports</span> : <Doing activity={activity} />}
      </p>
      <ul class="live-watchers" aria-label="Watchers">
        {watchers.map(({ bucketId, label, isReporting, ageSeconds }) => (
          <li key={bucketId}>
            <span class={isReporting ? "live-dot is-on" : "live-dot"} aria-hidden="true" />
            <a href={href(["buckets", bucketId])} title={bucketId}>
              {label}
            </a>{" "}
            <span class="quiet">{saying(isReporting, ageSeconds)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function saying(isReporting: boolean, ageSeconds: number | undefined): string {
  if (isReporting) return "reports";
  return ageSeconds === undefined ? "empty" : `silent, ${formatAge(ageSeconds)}`;
}

function Doing({ activity }: { readonly activity: Activity }): JSX.Element {
  const { isAway, text, seconds } = activity;
  const what = isAway ? "away from the computer" : text || "at the computer";
  return (
    <>
      <strong title={what.slice(0, 1000)}>{shorten(what, LONGEST_TEXT)}</strong>
      <span class="quiet">for {formatDuration(seconds)}</span>
    </>
  );
}

async function look(current: AbortSignal): Promise<void> {
  // Without the key there is nothing to learn.
  if (keyWanted.peek() !== undefined) return;
  await refreshBuckets();
  if (buckets.value.state !== "ready") return;
  const now = Date.now();
  const host = hostToShow(now);
  const watchers = knownBuckets.value
    .filter((bucket) => bucket.hostname === host && isWatcher(bucket) && now - lastOf(bucket) < FORGOTTEN)
    .sort((a, b) => lastOf(b) - lastOf(a))
    .slice(0, MOST_WATCHERS);
  const watched = await Promise.all(
    watchers.map(async (bucket): Promise<Watched> => {
      const [newest] = await client.events.list(bucket.id, { limit: 1 }, { signal: current });
      return { bucket, newest };
    }),
  );
  const shown = Date.now();
  seen.value = { host, activity: activityOf(watched, shown), watchers: standings(watchers, shown) };
}

/** The server's own host while it reports, or else the one that reported last. */
function hostToShow(now: number): string {
  const own = server.value?.info.hostname;
  const reports = knownBuckets.value.some((one) => one.hostname === own && now - lastOf(one) < FORGOTTEN);
  return (reports ? own : hosts.value[0]) ?? "";
}
