import type { EventSource, SourceVersion } from "./source.js";

/**
 * Wraps a source for one request. An asynchronous source, such as a database, is asked for versions once per bucket,
 * and for all likely buckets together. Reads then show the buckets as of the start of the request or later.
 *
 * @param likely IDs of buckets that the request will probably read
 */
export function cacheVersions(source: EventSource, likely: readonly string[]): EventSource {
  const known = new Map<string | null, Promise<SourceVersion>>();
  let isSynchronous = false;

  function requestVersions(ids: readonly (string | null)[]): void {
    const unknown = [...new Set([...ids, ...likely])].filter((id) => !known.has(id));
    if (isSynchronous || unknown.length === 0) return;
    const versions = source.versions(unknown);
    isSynchronous = !("then" in versions);
    if (!("then" in versions)) return;
    unknown.forEach((id, index) => {
      const version = versions.then((all) => all[index]);
      // The request that awaits this version handles the failure.
      version.catch(() => undefined);
      known.set(id, version);
    });
  }

  return {
    ...source,
    versions(ids) {
      requestVersions(ids);
      return isSynchronous ? source.versions(ids) : Promise.all(ids.map((id) => known.get(id)));
    },
    async readEvents(bucketId, start, end, watch) {
      requestVersions([bucketId]);
      return source.readEvents(bucketId, start, end, watch, await known.get(bucketId));
    },
  };
}
