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
}

const OF_PHONES = /^aw-(watcher-android|import-screentime)/;

/**
 * The buckets of hosts. Browsers and editors of an unknown host belong to every host with windows.
 *
 * @param wanted hostnames; `undefined` for all
 */
export function bucketsOf(buckets: readonly ChosenBucket[], wanted: readonly string[] | undefined): HostBuckets[] {
  const byHost = new Map<string, ChosenBucket[]>();
  for (const bucket of buckets) {
    const own = byHost.get(bucket.hostname);
    if (own === undefined) byHost.set(bucket.hostname, [bucket]);
    else own.push(bucket);
  }
  const unknown = [...byHost].flatMap(([host, own]) => (isUnknownHost(host) ? own : []));
  // Other hosts have no buckets.
  const hosts = [...new Set(wanted ?? byHost.keys())].filter((host) => byHost.has(host)).sort();
  const ofType = (type: string, some: readonly ChosenBucket[]): ChosenBucket[] =>
    some.filter((bucket) => bucket.type === type);
  const chosen = hosts.map((host): HostBuckets => {
    const own = byHost.get(host) ?? [];
    const windows = ofType("currentwindow", own);
    const phones = [...windows.filter(({ id }) => OF_PHONES.test(id)), ...ofType("app", own)];
    const desktop = windows.filter(({ id }) => !OF_PHONES.test(id));
    const near = desktop.length === 0 ? own : [...new Set([...own, ...unknown])];
    return {
      host,
      windows: ordered(desktop, "aw-watcher-window_", host),
      phones: ordered(phones, "aw-watcher-android", host),
      afk: ordered(ofType("afkstatus", own), "aw-watcher-afk_", host),
      browsers: ordered(ofType("web.tab.current", near), "", host),
      editors: ordered(ofType("app.editor.activity", near), "", host),
    };
  });
  // Editors of an unknown host are already part of the other hosts.
  const hasDesktop = chosen.some(({ windows }) => windows.length > 0);
  return chosen.map((one) => (hasDesktop && isUnknownHost(one.host) ? { ...one, editors: [], browsers: [] } : one));
}

/** The IDs of buckets, the usual watcher's first. */
function ordered(buckets: readonly ChosenBucket[], prefix: string, host: string): readonly string[] {
  const rank = (id: string): number => (id === prefix + host ? 2 : id.startsWith(prefix) ? 1 : 0);
  return buckets.map(({ id }) => id).sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1));
}
