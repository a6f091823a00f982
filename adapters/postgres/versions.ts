import type { Storage } from "../../src/storage/storage.js";
import type { StorageContext } from "./context.js";
import { hashOf } from "./encoding.js";
import { boundsOf, NAMESPACE_ARGUMENT } from "./pages.js";

const VERSIONS = `
  select b.id_hash::text, b.bucket || '.' || b.version
  from :"schema".buckets b where b.namespace = $1 and b.id_hash = any($2)
  union all
  select null, 'list.' || n.version from :"schema".namespaces n where n.namespace = $1`;

const RANGE_VERSIONS = `
  select b.bucket || '.' || case
    when b.newest_part between r.first and r.last then b.version
    else coalesce((
      select max(p.version) from :"schema".part_versions p
      where p.namespace = ${NAMESPACE_ARGUMENT} and p.bucket = b.bucket and p.part between r.first and r.last
    ), 0)
  end
  from :"schema".buckets b
  cross join lateral (
    select place, ((from_us - b.longest_us) >> 36)::integer as first, (to_us >> 36)::integer as last
    from unnest($3::bigint[], $4::bigint[]) with ordinality as range(from_us, to_us, place)
  ) r
  where b.namespace = $1 and b.id_hash = $2
  order by r.place`;

/** The version of a bucket list that does not exist yet. */
const NO_LIST = "list.0";

/** The methods that read versions of events. */
export function versionMethods({
  database,
  namespace,
}: StorageContext): Pick<Required<Storage>, "versions" | "rangeVersions"> {
  return {
    async versions(bucketIds) {
      if (database.isClosed) return bucketIds.map(() => undefined);
      const hashes = bucketIds.map((id) => (id === null ? null : hashOf(id)));
      const rows = await database.read(VERSIONS, [namespace, hashes.filter((hash) => hash !== null)]);
      const found = new Map(rows.map(([hash, version]) => [hash?.replaceAll("-", "") ?? null, version as string]));
      return hashes.map((hash) => found.get(hash) ?? (hash === null ? NO_LIST : undefined));
    },

    async rangeVersions(bucketId, ranges) {
      if (database.isClosed) return ranges.map(() => undefined);
      const bounds = ranges.map(boundsOf);
      const args = [namespace, hashOf(bucketId), bounds.map(([start]) => start), bounds.map(([, end]) => end)];
      const rows = await database.read(RANGE_VERSIONS, args);
      return ranges.map((_, index) => rows[index]?.[0] ?? undefined);
    },
  };
}
