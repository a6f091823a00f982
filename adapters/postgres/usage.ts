import { EVENT_BYTES, type StorageUsage, TRASH } from "../../src/storage/usage.js";
import type { StorageContext } from "./context.js";
import { LONG_MILLIS } from "./pool.js";

const USAGE = `
  with sums as (
    select e.bucket, count(*) as events, sum(octet_length(e.data_text) + ${EVENT_BYTES}) as bytes
    from :"schema".events e where e.namespace = $1 group by e.bucket
  ), sizes as (
    select
      starts_with(b.id, '${TRASH}') as is_trash,
      coalesce(s.events, 0) as events,
      octet_length(b.record_text) + coalesce(s.bytes, 0) as bytes
    from :"schema".buckets b left join sums s on s.bucket = b.bucket
    where b.namespace = $1
  )
  select
    count(*) filter (where not is_trash),
    coalesce(sum(events) filter (where not is_trash), 0),
    coalesce(sum(bytes) filter (where not is_trash), 0) + (
      select coalesce(sum(octet_length(t.key_text) + octet_length(t.value_text)), 0)
      from :"schema".settings t where t.namespace = $1
    ),
    coalesce(sum(bytes) filter (where is_trash), 0)
  from sizes`;

/** Counts what a namespace contains, in one statement. */
export async function readUsage({ database, namespace }: StorageContext): Promise<StorageUsage> {
  const [row = []] = await database.read(USAGE, [namespace], LONG_MILLIS);
  const [buckets = 0, events = 0, bytes = 0, trashBytes = 0] = row.map(Number);
  return { buckets, events, bytes, trashBytes };
}
