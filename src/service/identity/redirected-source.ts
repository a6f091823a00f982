import type { EventSource } from "../../query/source.js";
import type { Redirects } from "./redirects.js";

/** A source in which redirected IDs resolve to their buckets. */
export function createRedirectedSource(source: EventSource, redirects: Redirects): EventSource {
  return {
    listBuckets: () => source.listBuckets(),
    async resolveRedirect(bucketId) {
      await redirects.ready();
      return redirects.resolve(bucketId);
    },
    versions(bucketIds) {
      const waiting = redirects.ready();
      const resolved = () => readVersions(source, bucketIds, resolveAll(bucketIds, redirects));
      return waiting === undefined ? resolved() : waiting.then(resolved);
    },
    async readEvents(bucketId, start, end, watch, version) {
      await redirects.ready();
      const to = redirects.resolve(bucketId);
      if (to === bucketId) return source.readEvents(to, start, end, watch, version);
      const read = await source.readEvents(to, start, end, watch);
      return { ...read, version: versionOfTarget(to, read.version) };
    },
    async countEvents(bucketId, start, end) {
      await redirects.ready();
      return source.countEvents(redirects.resolve(bucketId), start, end);
    },
  };
}

/** The version of a redirected ID, which changes with its target. */
export function versionOfTarget(to: string, version: string | undefined): string | undefined {
  return version === undefined ? undefined : `${version} of ${to}`;
}

function resolveAll(bucketIds: readonly (string | null)[], redirects: Redirects): (string | null)[] {
  return bucketIds.map((id) => (id === null ? null : redirects.resolve(id)));
}

type Versions = Awaited<ReturnType<EventSource["versions"]>>;

function readVersions(
  source: EventSource,
  bucketIds: readonly (string | null)[],
  targets: readonly (string | null)[],
): Versions | Promise<Versions> {
  const versions = source.versions(targets);
  if (bucketIds.every((id, index) => id === targets[index])) return versions;
  const withTargets = (known: Versions): Versions =>
    known.map((version, index) => {
      const to = targets[index] ?? null;
      return to === null || to === bucketIds[index] ? version : versionOfTarget(to, version);
    });
  return "then" in versions ? versions.then(withTargets) : withTargets(versions);
}
