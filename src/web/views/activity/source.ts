// Selects the buckets that a host's numbers are based on. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { isUnknownHost } from "../../../domain/unknown-host.js";
import { type HostEditors, hostEditorsProgram } from "../../editor-programs.js";
import type { RequestedLists } from "../../program-lists.js";
import {
  androidProgram,
  type Classifying,
  type DesktopBuckets,
  desktopProgram,
  type HostSource,
  multideviceProgram,
} from "../../programs.js";
import { lastOf } from "../../reporting.js";
import type { Hosts } from "./hosts.js";

/** Buckets of a view. */
export interface Source {
  readonly hosts: Hosts;
  /** Empty if no host has a window bucket. */
  readonly sources: readonly HostSource[];
  /** Bucket IDs of editors. */
  readonly editors: readonly string[];
  /** Editors by host. */
  readonly hostEditors: readonly HostEditors[];
  /** Whether there are sites to show. */
  readonly hasSites: boolean;
  /** Whether a single host would have sites to show. */
  readonly hasHiddenSites: boolean;
  /** Buckets whose events indicate activity. */
  readonly telling: readonly ClientBucket[];
}

const OF_PHONES = /^aw-(watcher-android|import-screentime)/;

/** The buckets of hosts. */
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
      type === "app.editor.activity" && (names.includes(hostname) || (isNamed && isUnknownHost(hostname))),
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

/** The program for a period's numbers; `undefined` without a window bucket. */
export function programOf(
  { hosts, sources }: Source,
  classifying: Classifying,
  wanted?: RequestedLists,
): string | undefined {
  const [only] = sources;
  if (only === undefined) return undefined;
  if (hosts.kind === "all") return multideviceProgram(sources, classifying, wanted);
  return only.kind === "android"
    ? androidProgram(only.window, classifying, wanted)
    : desktopProgram(only, classifying, wanted);
}

/** The program for the activity in editors; `undefined` without editors. */
export function editorProgramOf(
  { hostEditors }: Source,
  classifying: Classifying,
  wanted?: Pick<RequestedLists, "rows" | "lean">,
): string | undefined {
  return hostEditors.length > 0 ? hostEditorsProgram(hostEditors, classifying, wanted) : undefined;
}

function withEditors(source: HostSource, editors: readonly string[]): HostSource {
  return source.kind === "desktop" && editors.length > 0 ? { ...source, editors } : source;
}

/** Buckets for a host's active time. */
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
    ({ type, hostname }) => type === "web.tab.current" && (hostname === host || isUnknownHost(hostname)),
  );
  return { kind: "desktop", window: window.id, afk: afk?.id, browsers: browsers.map(({ id }) => id).sort() };
}

function isOfWindows(type: string): boolean {
  return type === "currentwindow" || type === "app";
}

/** The bucket of the usual watcher, or the most recently active one. */
function best(buckets: readonly ClientBucket[], prefix: string, host: string): ClientBucket | undefined {
  const rank = ({ id }: ClientBucket): number => (id === prefix + host ? 2 : id.startsWith(prefix) ? 1 : 0);
  return [...buckets].sort((a, b) => rank(b) - rank(a) || lastOf(b) - lastOf(a) || (a.id < b.id ? -1 : 1))[0];
}
