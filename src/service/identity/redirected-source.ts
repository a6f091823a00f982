import type { EventSource } from "../../query/source.js";
import type { Redirects } from "./redirects.js";

/** A source in which redirected ids lead to their buckets. */
export function redirectedSource(source: EventSource, redirects: Redirects): EventSource {
  return {
    listBuckets: () => source.listBuckets(),
    leadsTo: (bucketId) => redirects.of(bucketId),
    versions(bucketIds) {
      const ends = bucketIds.map((id) => (id === null ? null : redirects.of(id)));
      if (ends.every((end) => end === null || typeof end === "string")) return versionsOf(source, bucketIds, ends);
      return Promise.all(ends).then((known) => versionsOf(source, bucketIds, known));
    },
    async readEvents(bucketId, start, end, watch, version) {
      const to = await redirects.of(bucketId);
      if (to === bucketId) return source.readEvents(to, start, end, watch, version);
      const read = await source.readEvents(to, start, end, watch);
      return { ...read, version: versionAt(to, read.version) };
    },
    async countEvents(bucketId, start, end) {
      return source.countEvents(await redirects.of(bucketId), start, end);
    },
  };
}

/** The version of a redirected id is another one as soon as it leads elsewhere. */
export function versionAt(to: string, version: string | undefined): string | undefined {
  return version === undefined ? undefined : `${version} of ${to}`;
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
