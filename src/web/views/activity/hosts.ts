// Hosts to show. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { DEMO_HOST, isDemoBucket } from "../../../domain/demo.js";

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
  const isOfHosts = (bucket: ClientBucket): boolean =>
    hosts.kind === "all" ? !isDemoBucket(bucket) : bucket.hostname === hosts.host;
  return buckets.filter((bucket) => isTelling(bucket) && isOfHosts(bucket));
}

/** Hosts to choose from: those with windows or editors, or if none has, with browsers. */
export function choosableHosts(buckets: readonly ClientBucket[]): readonly string[] {
  const namesOf = (types: readonly string[]): readonly string[] => [
    ...new Set(buckets.filter(({ type }) => types.includes(type)).map(({ hostname }) => hostname)),
  ];
  const found = namesOf(["currentwindow", "app", "app.editor.activity"]);
  return [...(found.length > 0 ? found : namesOf(["web.tab.current"]))].sort();
}

/** The hosts without a choice: all. Example data are shown only if there is nothing else. */
export function defaultHosts(buckets: readonly ClientBucket[]): Hosts | undefined {
  const telling = buckets.filter(isTelling);
  if (telling.length === 0) return undefined;
  return telling.every(isDemoBucket) ? { kind: "one", host: DEMO_HOST } : { kind: "all" };
}

/** The hosts in an address. */
export function hostsOf(params: URLSearchParams, buckets: readonly ClientBucket[]): Hosts | undefined {
  const host = params.get("host");
  if (host !== null) return { kind: "one", host };
  return params.get("hosts") === "all" ? { kind: "all" } : defaultHosts(buckets);
}

const TELLING = ["currentwindow", "app", "app.editor.activity", "web.tab.current", "general.stopwatch"];

function isTelling({ type }: ClientBucket): boolean {
  return TELLING.includes(type);
}
