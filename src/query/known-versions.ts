import type { EventSource, SourceVersion } from "./source.js";

/**
 * A source for one request. One that has to be waited for when it is asked for versions, as a database has, is asked
 * once for each bucket, and at once for those that are likely to be read. What is read then are the buckets as they
 * were when the request came, or later.
 *
 * @param likely ids of buckets
 */
export function askingOnce(source: EventSource, likely: readonly string[]): EventSource {
  const known = new Map<string | null, Promise<SourceVersion>>();
  let isNear = false;

  function ask(ids: readonly (string | null)[]): void {
    const unknown = [...new Set([...ids, ...likely])].filter((id) => !known.has(id));
    if (isNear || unknown.length === 0) return;
    const versions = source.versions(unknown);
    isNear = !("then" in versions);
    if (!("then" in versions)) return;
    unknown.forEach((id, index) => {
      const version = versions.then((all) => all[index]);
      // Whoever needs it hears of a failure.
      version.catch(() => undefined);
      known.set(id, version);
    });
  }

  return {
    ...source,
    versions(ids) {
      ask(ids);
      return isNear ? source.versions(ids) : Promise.all(ids.map((id) => known.get(id)));
    },
    async readEvents(bucketId, start, end, watch) {
      ask([bucketId]);
      return source.readEvents(bucketId, start, end, watch, await known.get(bucketId));
    },
  };
}
