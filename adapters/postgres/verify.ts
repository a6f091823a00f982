import type { JsonObject } from "../../src/domain/json.js";
import { quote } from "../../src/errors.js";
import type { StorageProblem, VerifyProgress, VerifyReport } from "../../src/storage/health.js";
import type { StorageContext } from "./context.js";
import { hashOf, jsonHash, parseBucket } from "./encoding.js";
import { FIRST_PAGE_EVENTS, hideFromPlanner, NAMESPACE_ARGUMENT } from "./pages.js";
import { FULL_SCAN_MILLIS, type Row } from "./pool.js";

const TOTAL = `
  select coalesce(sum(octet_length(e.data_text) + 32), 0) from :"schema".events e where e.namespace = $1`;
const BUCKETS = `
  select b.bucket, b.id_hash::text, b.record_text from :"schema".buckets b where b.namespace = $1 order by b.bucket`;
/** Counters that do not match the events, in one statement, so that concurrent writes do not matter. */
const COUNTERS = `
  select
    coalesce(max(e.id) filter (where e.id < 9007194959773695) >= b.next_id, false),
    coalesce(max(e.duration_us) > b.longest_us, false),
    max(e.start_us + e.duration_us) is distinct from b.last_end_us
  from :"schema".buckets b
  left join :"schema".events e on e.namespace = $1 and e.bucket = b.bucket
  where b.namespace = $1 and b.bucket = $2
  group by b.next_id, b.longest_us, b.last_end_us`;
const EVENTS = `
  select e.id, e.data_hash::text, e.data_text from :"schema".events e
  where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = ${hideFromPlanner("$2::bigint")} and e.id > $3
  order by e.id limit $4`;
const ORPHANS = `
  select e.bucket, count(*) from :"schema".events e
  where e.namespace = $1 and not exists (
    select from :"schema".buckets b where b.namespace = $1 and b.bucket = e.bucket
  )
  group by e.bucket`;
const VALUES = `
  select 'setting', s.key_hash::text, s.key_text, s.value_text, null from :"schema".settings s where s.namespace = $1
  union all
  select 'record', r.key_hash::text, r.key_text, r.value_text, r.value_hash::text
  from :"schema".records r where r.namespace = $1`;

/** Reads all data of a namespace and compares them with their hashes. */
export async function verify(
  context: StorageContext,
  onProgress: (progress: VerifyProgress) => void = () => {},
): Promise<VerifyReport> {
  const { database, namespace } = context;
  const ask = (text: string, ...args: readonly unknown[]): Promise<Row[]> =>
    database.read(text, [namespace, ...args], FULL_SCAN_MILLIS);
  const problems: StorageProblem[] = [];
  const [[total] = []] = await ask(TOTAL);
  const progress = { doneBytes: 0, totalBytes: Number(total) };
  let events = 0;
  const buckets = await ask(BUCKETS);
  for (const [number, hash, exact] of buckets) {
    const bucketId = verifyId(exact as string, hash as string);
    const where = bucketId === undefined ? {} : { bucketId };
    const name = bucketId === undefined ? `number ${number}` : quote(bucketId);
    const report = (what: string): void => void problems.push({ kind: "damaged", message: what, ...where });
    if (bucketId === undefined) report(`the record of bucket ${name} is damaged`);
    const [[ids, longest, end] = []] = await ask(COUNTERS, number);
    if (ids === "t") report(`the next event ID of bucket ${name} is already used`);
    if (longest === "t") report(`the longest duration of bucket ${name} is less than the duration of an event`);
    if (end === "t") report(`the end of bucket ${name} differs from the end of its last event`);
    for (let last = "0"; ; ) {
      const rows = await ask(EVENTS, number, last, String(FIRST_PAGE_EVENTS));
      for (const [id, dataHash, text] of rows) {
        if (!isSound(text as string, dataHash as string)) report(`event ${id} of bucket ${name} is damaged`);
        progress.doneBytes += Buffer.byteLength(text as string) + 32;
      }
      if (rows.length === 0) break;
      events += rows.length;
      last = rows.at(-1)?.[0] as string;
      onProgress({ doneBytes: progress.doneBytes, totalBytes: Math.max(progress.totalBytes, progress.doneBytes) });
    }
  }
  for (const [number, count] of await ask(ORPHANS)) {
    problems.push({ kind: "orphaned", message: `${count} events of a missing bucket (number ${number})` });
  }
  for (const [kind, keyHash, key, value, valueHash] of await ask(VALUES)) {
    const isKnown = matchesHash(key as string, keyHash as string) && isSound(value as string, valueHash ?? null);
    if (!isKnown) problems.push({ kind: "damaged", message: `the ${kind} ${key} is damaged` });
  }
  return { problems, buckets: buckets.length, events, bytes: progress.doneBytes };
}

function withoutDashes(hash: string): string {
  return hash.replaceAll("-", "");
}

/** @returns `undefined` if the record is not a bucket with this hash */
function verifyId(exact: string, hash: string): string | undefined {
  const { id } = attempt(() => parseBucket(exact)) ?? {};
  return id !== undefined && hashOf(id) === withoutDashes(hash) ? id : undefined;
}

/** Whether a JSON string matches its hash, if it has one. */
function isSound(text: string, hash: string | null): boolean {
  const value = attempt(() => JSON.parse(text) as JsonObject);
  return value !== undefined && (hash === null || jsonHash(value) === withoutDashes(hash));
}

function matchesHash(text: string, hash: string): boolean {
  const key = attempt(() => JSON.parse(text) as string);
  return key !== undefined && hashOf(key) === withoutDashes(hash);
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
