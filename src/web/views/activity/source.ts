// Which buckets the numbers of a host are made of. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { type HostEditors, hostEditorsProgram } from "../../editor-programs.js";
import { isNowhere } from "../../nowhere.js";
import type { Wanted } from "../../program-lists.js";
import {
  androidProgram,
  type Classifying,
  type DesktopBuckets,
  desktopProgram,
  type HostSource,
  multideviceProgram,
} from "../../programs.js";
import { lastOf, pastLastOf } from "../../reporting.js";

/** Whose time is shown. */
export type Hosts = { readonly kind: "one"; readonly host: string } | { readonly kind: "all" };

/** What a view of some hosts is asked from. */
export interface Source {
  readonly hosts: Hosts;
  /** Empty when none of them has a bucket of windows. */
  readonly sources: readonly HostSource[];
  /** Ids of buckets of editors. */
  readonly editors: readonly string[];
  /** The same by their hosts. */
  readonly hostEditors: readonly HostEditors[];
  /** Whether there are sites to show. */
  readonly hasSites: boolean;
  /** Whether there would be some of one of the hosts alone. */
  readonly hasHiddenSites: boolean;
  /** Buckets whose events tell when there is something to see. */
  readonly telling: readonly ClientBucket[];
}

/** Names by which such hosts are asked for. */
const NOWHERE: readonly string[] = ["unknown", ""];
const OF_PHONES = /^aw-(watcher-android|import-screentime)/;

/** What the numbers of hosts are made of. */
export function sourceOf(hosts: Hosts, buckets: readonly ClientBucket[]): Source {
  const names = hosts.kind === "one" ? [hosts.host] : [...new Set(buckets.map(({ hostname }) => hostname))].sort();
  const found = names.flatMap((name) => {
    const source = hostSourceOf(name, buckets);
    return source === undefined ? [] : [{ name, source }];
  });
  const [only] = found;
  const hasPages = found.some(({ source }) => source.kind === "desktop" && source.browsers.length > 0);
  const isNamed = hosts.kind === "one" && only !== undefined;
  const editors = buckets.filter(
    ({ type, hostname }) =>
      type === "app.editor.activity" && (names.includes(hostname) || (isNamed && isNowhere(hostname))),
  );
  const editorsOf = (name: string): readonly string[] =>
    editors.filter(({ hostname }) => hostname === name || hosts.kind === "one").map(({ id }) => id);
  const sources = found.map(({ name, source }) => withEditors(source, editorsOf(name)));
  const ids = new Set(sources.map(({ window }) => window));
  return {
    hosts,
    sources,
    editors: editors.map(({ id }) => id),
    hostEditors: names.flatMap((name) => {
      const own = editorsOf(name);
      const host = found.find((one) => one.name === name)?.source;
      return own.length > 0 ? [{ editors: own, host: host && presenceOf(withEditors(host, own)) }] : [];
    }),
    hasSites: hosts.kind === "one" && hasPages,
    hasHiddenSites: hosts.kind === "all" && hasPages,
    telling: [...buckets.filter(({ id }) => ids.has(id)), ...editors],
  };
}

/** Hostnames of buckets that have something of hosts; `undefined` for all. */
export function hostnamesOf(hosts: Hosts): readonly string[] | undefined {
  return hosts.kind === "one" ? [hosts.host, ...NOWHERE] : undefined;
}

/** Hosts that can be chosen: those of any bucket that the view is made of. */
export function choosableHosts(buckets: readonly ClientBucket[]): readonly string[] {
  const telling = buckets.filter(({ type }) => isOfWindows(type) || type === "app.editor.activity");
  return [...new Set(telling.map(({ hostname }) => hostname))].sort();
}

/** The host to begin with: that of the server, else the one with the newest events of windows. */
export function firstHost(
  buckets: readonly ClientBucket[],
  own: string | undefined,
  now: number = Date.now(),
): string | undefined {
  // All buckets of a host tell when it was active last: of one with an event far ahead nothing else is known.
  const last = new Map<string, number>();
  for (const bucket of buckets) {
    last.set(bucket.hostname, Math.max(last.get(bucket.hostname) ?? 0, pastLastOf(bucket, now)));
  }
  const windows = buckets
    .filter(({ type }) => isOfWindows(type))
    .sort((a, b) => (last.get(b.hostname) ?? 0) - (last.get(a.hostname) ?? 0) || lastOf(b) - lastOf(a));
  return windows.some(({ hostname }) => hostname === own) ? own : (windows[0]?.hostname ?? choosableHosts(buckets)[0]);
}

/** The program for the numbers of a period; `undefined` when there is no bucket of windows. */
export function programOf({ hosts, sources }: Source, classifying: Classifying, wanted?: Wanted): string | undefined {
  const [only] = sources;
  if (only === undefined) return undefined;
  if (hosts.kind === "all") return multideviceProgram(sources, classifying, wanted);
  return only.kind === "android"
    ? androidProgram(only.window, classifying, wanted)
    : desktopProgram(only, classifying, wanted);
}

/** The program for what editors saw; `undefined` when there is none. */
export function editorProgramOf(
  { hostEditors }: Source,
  classifying: Classifying,
  wanted?: Pick<Wanted, "rows" | "lean">,
): string | undefined {
  return hostEditors.length > 0 ? hostEditorsProgram(hostEditors, classifying, wanted) : undefined;
}

function withEditors(source: HostSource, editors: readonly string[]): HostSource {
  return source.kind === "desktop" && editors.length > 0 ? { ...source, editors } : source;
}

/** What tells when somebody was at a host. */
function presenceOf(source: HostSource): DesktopBuckets | undefined {
  return source.kind === "desktop" ? source : undefined;
}

function hostSourceOf(host: string, buckets: readonly ClientBucket[]): HostSource | undefined {
  const own = buckets.filter(({ hostname }) => hostname === host);
  const window = best(
    own.filter(({ type }) => isOfWindows(type)),
    "aw-watcher-window_",
    host,
  );
  if (window === undefined) return undefined;
  if (window.type === "app" || OF_PHONES.test(window.id)) return { kind: "android", window: window.id };
  const afk = best(
    own.filter(({ type }) => type === "afkstatus"),
    "aw-watcher-afk_",
    host,
  );
  const browsers = buckets.filter(
    ({ type, hostname }) => type === "web.tab.current" && (hostname === host || isNowhere(hostname)),
  );
  return { kind: "desktop", window: window.id, afk: afk?.id, browsers: browsers.map(({ id }) => id).sort() };
}

function isOfWindows(type: string): boolean {
  return type === "currentwindow" || type === "app";
}

/** That of the usual watcher, else the one with the newest events. */
function best(buckets: readonly ClientBucket[], prefix: string, host: string): ClientBucket | undefined {
  const rank = ({ id }: ClientBucket): number => (id === prefix + host ? 2 : id.startsWith(prefix) ? 1 : 0);
  return [...buckets].sort((a, b) => rank(b) - rank(a) || lastOf(b) - lastOf(a) || (a.id < b.id ? -1 : 1))[0];
}
