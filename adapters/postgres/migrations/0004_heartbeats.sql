-- The heartbeats of one turn, each by its own bucket, in the order of the calls within a bucket. The rule is that of
-- docs/reference/compatibility.md#heartbeats; equal data have equal hashes. Answers [id, start, duration, data] for
-- each, with null for data that are written as those of the beat, and null in place of all when there is no such
-- bucket.
create function :"schema".put_heartbeats(
  ns text, w :"schema".write_id, bucket_hashes uuid[], starts bigint[], durations bigint[], pulsetimes bigint[],
  hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql as $$
declare
  answers text[] := array_fill('null'::text, array[cardinality(starts)]);
  bucket_hash uuid;
  b :"schema".buckets;
  target :"schema".events;
  grown bigint;
  has_grown boolean;
begin
  for bucket_hash in select distinct x from unnest(bucket_hashes) x order by x loop
    b := :"schema".locked_bucket(ns, bucket_hash);
    continue when b.bucket is null;
    has_grown := false;
    select * into target from :"schema".events e
    where e.namespace = ns and e.bucket = b.bucket and e.id = b.merge_target;
    if not found then
      select * into target from :"schema".events e
      where e.namespace = ns and e.bucket = b.bucket order by e.start_us desc, e.id desc limit 1;
    end if;
    for i in 1 .. cardinality(starts) loop
      continue when bucket_hashes[i] <> bucket_hash;
      if target.data_hash = hashes[i] and target.duration_us >= 0 and starts[i] >= target.start_us
        and starts[i] <= target.start_us + target.duration_us + pulsetimes[i]
      then
        grown := starts[i] - target.start_us + durations[i];
        if grown > target.duration_us then
          target.duration_us := grown;
          has_grown := true;
        end if;
      else
        if has_grown then
          update :"schema".events set duration_us = target.duration_us
          where namespace = ns and bucket = b.bucket and id = target.id;
          has_grown := false;
        end if;
        b.next_id := :"schema".new_id(b.next_id);
        if b.next_id >= 9007194959773695 then
          b.next_id := :"schema".free_id(ns, b.bucket, b.next_id, '{}');
        end if;
        insert into :"schema".events (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
        values (ns, b.bucket, b.next_id, starts[i], durations[i], hashes[i], texts[i],
          nullif(coalesce(shown[i], texts[i]), '')::jsonb)
        returning * into target;
        b.next_id := b.next_id + 1;
      end if;
      b.longest_us := greatest(b.longest_us, target.duration_us);
      b.last_end_us := greatest(b.last_end_us, target.start_us + target.duration_us);
      answers[i] := json_build_array(target.id, target.start_us, target.duration_us,
        case when target.data_text <> texts[i] then target.data_text end)::text;
    end loop;
    if has_grown then
      update :"schema".events set duration_us = target.duration_us
      where namespace = ns and bucket = b.bucket and id = target.id;
    end if;
    update :"schema".buckets
    set next_id = b.next_id, merge_target = target.id, longest_us = b.longest_us, last_end_us = b.last_end_us,
      version = version + 1, written = pg_current_xact_id(), writer = w.node,
      written_else = case when writer = w.node then written_else else written end
    where namespace = ns and bucket = b.bucket;
  end loop;
  return :"schema".finish_write(ns, w, '[' || array_to_string(answers, ',') || ']');
end
$$;
