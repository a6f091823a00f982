import type { EventSource } from "../../query/source.js";
import type { Redirects } from "./redirects.js";

/** A source in which redirected IDs resolve to their buckets. */
export function redirectedSource(source: EventSource, redirects: Redirects): EventSource {
  return {
    listBuckets: () => source.listBuckets(),
    async resolveRedirect(bucketId) {
      await redirects.ready();
      return redirects.of(bucketId);
    },
    versions(bucketIds) {
      const waiting = redirects.ready();
      const named = () => versionsOf(source, bucketIds, endsOf(bucketIds, redirects));
      return waiting === undefined ? named() : waiting.then(named);
    },
    async readEvents(bucketId, start, end, watch, version) {
      await redirects.ready();
      const to = redirects.of(bucketId);
      if (to === bucketId) return source.readEvents(to, start, end, watch, version);
      const read = await source.readEvents(to, start, end, watch);
      return { ...read, version: versionAt(to, read.version) };
    },
    async countEvents(bucketId, start, end) {
      await redirects.ready();
      return source.countEvents(redirects.of(bucketId), start, end);
    },
  };
}

/** The version of a redirected ID, which changes with its target. */
export function versionAt(to: string, version: string | undefined): string | undefined {
  return version === undefined ? undefined : `${version} of ${to}`;
}

function endsOf(bucketIds: readonly (string | null)[], redirects: Redirects): (string | null)[] {
  return bucketIds.map((id) => (id === null ? null : redirects.of(id)));
}

type Versions = Awaited<ReturnType<EventSource["versions"]>>;

function versionsOf(
  source: EventSource,
  bucketIds: readonly (string | null)[],
  ends: readonly (string | null)[],
): Versions | Promise<Versions> {
  const versions = source.versions(ends);
  if (bucketIds.every((id, index) => id === ends[index])) return versions;
  const named = (known: Versions): Versions =>
    known.map((version, index) => {
      const to = ends[index] ?? null;
      return to === null || to === bucketIds[index] ? version : versionAt(to, version);
    });
  return "then" in versions ? versions.then(named) : named(versions);
}
