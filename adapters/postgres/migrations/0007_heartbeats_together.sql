-- Heartbeats of one turn by a few statements for all of them, where 0004_heartbeats.sql has some for each. Rule, order
-- and answers are the same. Rows are found by index, whatever the size of the tables: a plan that was made while they
-- were small is kept, and would read all of them later.
create or replace function :"schema".put_heartbeats(
  ns text, w :"schema".write_id, bucket_hashes uuid[], starts bigint[], durations bigint[], pulsetimes bigint[],
  hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql
set lock_timeout = '3s' set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  answers text[] := array_fill('null'::text, array[cardinality(starts)]);
  beat record;
  number bigint;
  unused_id bigint;
  target_id bigint;
  target_start bigint;
  target_duration bigint;
  target_hash uuid;
  target_text text;
  -- Events that heartbeats reach, as they are in the end. `begun_by` is null for those that were there before.
  last integer := 0;
  numbers bigint[] := '{}';
  ids bigint[] := '{}';
  event_starts bigint[] := '{}';
  event_durations bigint[] := '{}';
  begun_by integer[] := '{}';
  is_last boolean;
begin
  perform from :"schema".buckets b where b.namespace = ns and b.id_hash = any(bucket_hashes)
  order by b.id_hash for update;
  for beat in
    select d.place::integer as i, b.bucket, b.next_id, e.id, e.start_us, e.duration_us, e.data_hash, e.data_text
    from unnest(bucket_hashes) with ordinality as d(bucket_hash, place)
    join :"schema".buckets b on b.namespace = ns and b.id_hash = d.bucket_hash
    left join lateral (
      (
        select target.* from :"schema".events target
        where target.namespace = ns and target.bucket = b.bucket and target.id = b.merge_target
      ) union all (
        select newest.* from :"schema".events newest
        where newest.namespace = ns and newest.bucket = b.bucket order by newest.start_us desc, newest.id desc limit 1
      ) limit 1
    ) e on true
    order by d.bucket_hash, d.place
  loop
    if number is distinct from beat.bucket then
      number := beat.bucket;
      unused_id := beat.next_id;
      target_id := beat.id;
      target_start := beat.start_us;
      target_duration := beat.duration_us;
      target_hash := beat.data_hash;
      target_text := beat.data_text;
      is_last := false; -- the target is not among those yet
    end if;
    if target_hash = hashes[beat.i] and target_duration >= 0 and starts[beat.i] >= target_start
      and starts[beat.i] <= target_start + target_duration + pulsetimes[beat.i]
    then
      target_duration := greatest(target_duration, starts[beat.i] - target_start + durations[beat.i]);
      if not is_last then
        last := last + 1;
        begun_by[last] := null;
      end if;
    else
      unused_id := :"schema".new_id(unused_id);
      if unused_id >= 9007194959773695 then
        unused_id := :"schema".free_id(ns, number, unused_id, '{}');
      end if;
      target_id := unused_id;
      target_start := starts[beat.i];
      target_duration := durations[beat.i];
      target_hash := hashes[beat.i];
      target_text := texts[beat.i];
      unused_id := unused_id + 1;
      last := last + 1;
      begun_by[last] := beat.i;
    end if;
    is_last := true;
    numbers[last] := number;
    ids[last] := target_id;
    event_starts[last] := target_start;
    event_durations[last] := target_duration;
    answers[beat.i] := json_build_array(target_id, target_start, target_duration,
      case when target_text <> texts[beat.i] then target_text end)::text;
  end loop;
  update :"schema".events e set duration_us = d.duration_us
  from unnest(numbers, ids, event_durations, begun_by) as d(bucket, id, duration_us, i)
  where e.namespace = ns and e.bucket = d.bucket and e.id = d.id and d.i is null and e.duration_us < d.duration_us;
  insert into :"schema".events (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
  select ns, d.bucket, d.id, d.start_us, d.duration_us, hashes[d.i], texts[d.i],
    nullif(coalesce(shown[d.i], texts[d.i]), '')::jsonb
  from unnest(numbers, ids, event_starts, event_durations, begun_by) as d(bucket, id, start_us, duration_us, i)
  where d.i is not null;
  update :"schema".buckets b
  set next_id = greatest(b.next_id, d.next_id), merge_target = d.merge_target,
    longest_us = greatest(b.longest_us, d.longest_us), last_end_us = greatest(b.last_end_us, d.last_end_us),
    version = b.version + 1, written = pg_current_xact_id(), writer = w.node,
    written_else = case when b.writer = w.node then b.written_else else b.written end
  from (
    select each.bucket, max(each.id) filter (where each.i is not null) + 1 as next_id,
      (array_agg(each.id order by each.place desc))[1] as merge_target,
      max(each.duration_us) as longest_us, max(each.start_us + each.duration_us) as last_end_us
    from unnest(numbers, ids, event_starts, event_durations, begun_by) with ordinality
      as each(bucket, id, start_us, duration_us, i, place)
    group by each.bucket
  ) d
  where b.namespace = ns and b.bucket = d.bucket;
  return :"schema".finish_write(ns, w, '[' || array_to_string(answers, ',') || ']');
end
$$;
