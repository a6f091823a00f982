// Which buckets the numbers of a host are based on.
import { isUnknownHost } from "../domain/unknown-host.js";

/** Properties of buckets that the choice depends on. */
export interface ChosenBucket {
  readonly id: string;
  readonly hostname: string;
  readonly type: string;
}

/** The buckets of a host, by the role of their watchers. Buckets of usual watchers come first. */
export interface HostBuckets {
  readonly host: string;
  readonly windows: readonly string[];
  readonly phones: readonly string[];
  readonly afk: readonly string[];
  readonly browsers: readonly string[];
  readonly editors: readonly string[];
  /** Entered by hand. */
  readonly stopwatches: readonly string[];
}

const OF_PHONES = /^aw-(watcher-android|import-screentime)/;

/** How buckets of hosts are chosen. */
export interface BucketChoice {
  /** Hostnames; `undefined` for all. */
  readonly wanted: readonly string[] | undefined;
  /** Whether stopwatch entries count as activity. */
  readonly hasStopwatches: boolean;
  /** The setting `browser_hosts`: the host of a browser's bucket that has none. */
  readonly browserHosts: ReadonlyMap<string, string>;
  /** Equal for buckets of the same browser. */
  readonly browserOf: (bucketId: string) => string;
}

/** The buckets of hosts. */
export interface ChosenBuckets {
  readonly hosts: readonly HostBuckets[];
  /** Buckets of browsers without a host that do not clearly belong to one. */
  readonly unassigned: readonly string[];
}

/**
 * Chooses the buckets of hosts. A browser of an unknown host belongs to hosts with windows that have no bucket of this
 * browser. Editors of an unknown host belong to every host with windows.
 */
export function bucketsOf(buckets: readonly ChosenBucket[], choice: BucketChoice): ChosenBuckets {
  const { wanted, hasStopwatches } = choice;
  const byHost = new Map<string, ChosenBucket[]>();
  for (const bucket of buckets) {
    const own = byHost.get(bucket.hostname);
    if (own === undefined) byHost.set(bucket.hostname, [bucket]);
    else own.push(bucket);
  }
  const unknown = [...byHost].flatMap(([host, own]) => (isUnknownHost(host) ? own : []));
  const owners = ownersOf(ofType(BROWSER, unknown), byHost, choice);
  const lost = ofType("app.editor.activity", unknown);
  // Other hosts have no buckets.
  const hosts = [...new Set(wanted ?? byHost.keys())].filter((host) => byHost.has(host)).sort();
  const chosen = hosts.map((host): HostBuckets => {
    const own = byHost.get(host) ?? [];
    const { desktop, phones } = windowsIn(own);
    const near = desktop.length === 0 ? own : [...new Set([...own, ...lost])];
    const browsers = [...ofType(BROWSER, own), ...unknown.filter(({ id }) => owners.get(id)?.includes(host))];
    return {
      host,
      windows: ordered(desktop, "aw-watcher-window_", host),
      phones: ordered(phones, "aw-watcher-android", host),
      afk: ordered(ofType("afkstatus", own), "aw-watcher-afk_", host),
      browsers: ordered([...new Set(browsers)], "", host),
      editors: ordered(ofType("app.editor.activity", near), "", host),
      stopwatches: hasStopwatches ? ordered(ofType("general.stopwatch", own), "aw-stopwatch", host) : [],
    };
  });
  // What an unknown host has is already part of the other hosts.
  const hasDesktop = chosen.some(({ windows }) => windows.length > 0);
  return {
    hosts: chosen.map((one) => (hasDesktop && isUnknownHost(one.host) ? { ...one, editors: [], browsers: [] } : one)),
    unassigned: [...owners].flatMap(([id, found]) => (found.length === 1 ? [] : [id])),
  };
}

const BROWSER = "web.tab.current";

function ofType(type: string, buckets: readonly ChosenBucket[]): readonly ChosenBucket[] {
  return buckets.filter((bucket) => bucket.type === type);
}

function windowsIn(own: readonly ChosenBucket[]) {
  const windows = ofType("currentwindow", own);
  const phones = [...windows.filter(({ id }) => OF_PHONES.test(id)), ...ofType("app", own)];
  return { desktop: windows.filter(({ id }) => !OF_PHONES.test(id)), phones };
}

/** The hosts that browsers without one can belong to; empty if no host has windows. */
function ownersOf(
  browsers: readonly ChosenBucket[],
  byHost: ReadonlyMap<string, readonly ChosenBucket[]>,
  { browserHosts, browserOf }: BucketChoice,
): ReadonlyMap<string, readonly string[]> {
  const withWindows = [...byHost].filter(([host, own]) => {
    return windowsIn(own).desktop.length > 0 && !isUnknownHost(host);
  });
  if (withWindows.length === 0) return new Map();
  return new Map(
    browsers.map(({ id }) => {
      const assigned = browserHosts.get(id);
      if (assigned !== undefined) return [id, [assigned]];
      const browser = browserOf(id);
      const free = withWindows.filter(([, own]) => !ofType(BROWSER, own).some((one) => browserOf(one.id) === browser));
      return [id, free.map(([host]) => host)];
    }),
  );
}

/** The IDs of buckets, the usual watcher's first. */
function ordered(buckets: readonly ChosenBucket[], prefix: string, host: string): readonly string[] {
  const rank = (id: string): number => (id === prefix + host ? 2 : id.startsWith(prefix) ? 1 : 0);
  return buckets.map(({ id }) => id).sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1));
}
