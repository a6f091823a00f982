// Hosts to show. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { lastOf, pastLastOf } from "../../reporting.js";

/** Hosts whose time is shown. */
export type Hosts = { readonly kind: "one"; readonly host: string } | { readonly kind: "all" };

/** Hostnames that mean an unknown host. */
const NOWHERE: readonly string[] = ["unknown", ""];

/** Hostnames of the relevant buckets; `undefined` for all. */
export function hostnamesOf(hosts: Hosts): readonly string[] | undefined {
  return hosts.kind === "one" ? [hosts.host, ...NOWHERE] : undefined;
}

/** The buckets of hosts whose events indicate activity. */
export function tellingBuckets(hosts: Hosts, buckets: readonly ClientBucket[]): readonly ClientBucket[] {
  return buckets.filter((bucket) => isTelling(bucket) && (hosts.kind === "all" || bucket.hostname === hosts.host));
}

/** Hosts to choose from: those with buckets that the view uses. */
export function choosableHosts(buckets: readonly ClientBucket[]): readonly string[] {
  return [...new Set(buckets.filter(isTelling).map(({ hostname }) => hostname))].sort();
}

/** The default host: the server's, or the one with the newest window events. */
export function firstHost(
  buckets: readonly ClientBucket[],
  own: string | undefined,
  now: number = Date.now(),
): string | undefined {
  // Uses all buckets of a host, since an event far in the future hides a bucket's last activity.
  const last = new Map<string, number>();
  for (const bucket of buckets) {
    last.set(bucket.hostname, Math.max(last.get(bucket.hostname) ?? 0, pastLastOf(bucket, now)));
  }
  const windows = buckets
    .filter(isOfWindows)
    .sort((a, b) => (last.get(b.hostname) ?? 0) - (last.get(a.hostname) ?? 0) || lastOf(b) - lastOf(a));
  return windows.some(({ hostname }) => hostname === own) ? own : (windows[0]?.hostname ?? choosableHosts(buckets)[0]);
}

function isTelling(bucket: ClientBucket): boolean {
  return isOfWindows(bucket) || bucket.type === "app.editor.activity";
}

function isOfWindows({ type }: ClientBucket): boolean {
  return type === "currentwindow" || type === "app";
}
