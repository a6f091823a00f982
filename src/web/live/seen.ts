// The state of the watchers: read from the server, then kept up to date by the live feed.
import { effect, type Signal, signal } from "@preact/signals";
import type { ClientEvent, ClientFeedMessage } from "../../client/client-types.js";
import { client, missingCredentials } from "../api.js";
import { buckets, type Extent, extendBuckets, knownBuckets, refreshBuckets, reloadBuckets } from "../buckets.js";
import { isAhead, lastOf } from "../reporting.js";
import { route } from "../router.js";
import { server } from "../server-facts.js";
import { isReset, reloadOnChanges } from "./changes.js";
import { emit, onFeed } from "./feed.js";
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

/** Buckets of watchers that were silent for longer are hidden, in milliseconds. */
const FORGOTTEN = 7 * 24 * 3_600_000;
/** Maximum number of displayed watchers. */
const MAX_WATCHERS = 12;
/** Events that start later are ignored, in milliseconds. Clocks may differ. */
const MAX_AHEAD = 24 * 3_600_000;
/** The first view finds events together that start within this time, in milliseconds. */
const FAR_BACK = 24 * 3_600_000;
/** Events that arrive within this time are shown together, in milliseconds. */
const TOGETHER = 50;
/** Address parameter of the selected host. */
export const CHOSEN = "host";

export interface Seen {
  readonly host: string;
  readonly activity: Activity | undefined;
  readonly watchers: readonly WatcherStatus[];
}

/** `undefined` until the first responses. */
export const seen: Signal<Seen | undefined> = signal(undefined);

/** The newest event of buckets, as far as known. */
const newest: Map<string, ClientEvent> = new Map();

function allWatched(): Watched[] {
  return knownBuckets
    .peek()
    .filter(isWatcher)
    .map((bucket) => ({ bucket, newest: newest.get(bucket.id) }));
}

function watchersOf(all: readonly Watched[], now: number): { readonly host: string; readonly watchers: Watched[] } {
  const wanted = [route.peek().params.get(CHOSEN), server.peek()?.info.hostname];
  const host = hostToShow(all, wanted, { now, forgottenMillis: FORGOTTEN });
  const watchers = all
    .filter((one) => one.bucket.hostname === host && now - lastSeen(one, now) < FORGOTTEN)
    .sort((a, b) => lastSeen(b, now) - lastSeen(a, now))
    .slice(0, MAX_WATCHERS);
  return { host, watchers };
}

function show(): void {
  const now = Date.now();
  const { host, watchers } = watchersOf(allWatched(), now);
  seen.value = { host, activity: activityOf(watchers, now), watchers: groupWatchers(watchers, now) };
}

/** Shows what is known, without a request: time passes. */
export function showSeen(): void {
  if (seen.peek() !== undefined) show();
}

/** Reads buckets, and the newest events that tell what happens now. */
export async function loadWatched(current?: AbortSignal): Promise<void> {
  // Without the key, requests are useless.
  if (missingCredentials.peek() !== undefined) return;
  await refreshBuckets();
  if (buckets.value.state !== "ready") return;
  const now = Date.now();
  const end = new Date(now + MAX_AHEAD);
  const ask = async ({ bucket: { id } }: Watched, found?: Found): Promise<void> => {
    const before = newest.get(id);
    const known = (await found)?.get(id);
    const [event] = known ? [known] : await client.events.list(id, { limit: 1, end }, { signal: current });
    // The feed may have brought a newer one.
    if (newest.get(id) !== before) return;
    if (event === undefined) newest.delete(id);
    else newest.set(id, event);
  };
  // For most buckets the time of the last report is known.
  const isOdd = ({ bucket }: Watched): boolean => isAhead(bucket, now);
  const odd = allWatched()
    .filter(isOdd)
    .sort((a, b) => lastOf(a.bucket) - lastOf(b.bucket))
    .slice(0, MAX_WATCHERS);
  await Promise.all(odd.map((one) => ask(one)));
  const { watchers } = watchersOf(allWatched(), now);
  const telling = watchers.filter((one) => !isOdd(one) && isTelling(one, watchers, now));
  const isFirst = seen.peek() === undefined && telling.length > 1;
  const found = isFirst ? findTogether(telling, new Date(now - FAR_BACK), end, current) : undefined;
  await Promise.all(telling.map((one) => ask(one, found)));
  show();
}

/** Newest events by bucket ID. */
type Found = Promise<ReadonlyMap<string, ClientEvent>>;

/** Finds newest events with one request, for the first view. Lacks those that start earlier. Never rejects. */
async function findTogether(
  watched: readonly Watched[],
  start: Date,
  end: Date,
  current: AbortSignal | undefined,
): Found {
  const variables = Object.fromEntries(watched.map(({ bucket }, at) => [`id${at}`, bucket.id]));
  const reads = watched.map((_, at) => `limit_events(query_bucket(id${at}), 1)`);
  const query = { timeperiods: [{ start, end }], variables, query: `RETURN = [${reads.join(", ")}];` };
  const [lists] = await client.query(query, { signal: current }).catch(() => []);
  const events = (lists ?? []) as unknown as readonly (readonly ClientEvent[])[];
  return new Map(
    watched.flatMap(({ bucket }, at) => {
      const event = events[at]?.[0];
      // A query cuts events to its period.
      return event === undefined || Date.parse(event.timestamp) <= start.getTime() ? [] : [[bucket.id, event] as const];
    }),
  );
}

function isOlder(event: ClientEvent, known: ClientEvent | undefined): boolean {
  return known !== undefined && known.id !== event.id && Date.parse(event.timestamp) < Date.parse(known.timestamp);
}

/** Extents of events that are not shown yet, by bucket. */
const arrived: Map<string, Extent> = new Map();

/** Notes an event that the feed brought. */
function note(bucketId: string, event: ClientEvent): void {
  const start = Date.parse(event.timestamp);
  const extent = { start, end: start + event.duration * 1000 };
  if (arrived.size === 0) setTimeout(showArrived, TOGETHER);
  const known = arrived.get(bucketId) ?? extent;
  arrived.set(bucketId, { start: Math.min(start, known.start), end: Math.max(extent.end, known.end) });
  if (start < Date.now() + MAX_AHEAD && !isOlder(event, newest.get(bucketId))) newest.set(bucketId, event);
}

function showArrived(): void {
  extendBuckets(arrived);
  arrived.clear();
  showSeen();
}

/** Descriptions of the first known buckets: the feed may start after polls whose changes no view has read. */
let atFirst: ReadonlyMap<string, string> | undefined;

effect(() => {
  if (buckets.value.state === "ready") atFirst ??= describeBuckets();
});

function describeBuckets(): ReadonlyMap<string, string> {
  return new Map(knownBuckets.peek().map((bucket) => [bucket.id, JSON.stringify(bucket)]));
}

/** Finds the buckets that have changed between the page's first requests and the start of the feed. */
async function findMissed(cursor: string): Promise<void> {
  await reloadBuckets();
  const now = describeBuckets();
  for (const bucket of new Set([...(atFirst?.keys() ?? []), ...now.keys()])) {
    if (atFirst?.get(bucket) === now.get(bucket)) continue;
    emit({ type: "events", action: "changed", bucket, cursor });
  }
}

/** Whether only a reading tells what has changed. */
function isUnknown(message: ClientFeedMessage): boolean {
  return message.type === "bucket" || (message.type === "events" && !("event" in message)) || isReset(message);
}

onFeed((message) => {
  if ("event" in message) note(message.bucket, message.event);
  else if (message.type === "reset" && message.reason === "start") void findMissed(message.cursor);
});
reloadOnChanges(isUnknown, () => loadWatched());
