-- Heartbeats of one turn by a few statements for all of them, where 0004_heartbeats.sql has some for each. Rule, order
-- and answers are the same. A plan is kept that was made while the tables were small, and one that could read all of
-- them would do so later. So each row is found on its own by a unique index: by subqueries that cannot be turned round,
-- and by conflicts, since every row that `on conflict` updates here is there and locked.
create or replace function :"schema".put_heartbeats(
  ns text, w :"schema".write_id, bucket_hashes uuid[], starts bigint[], durations bigint[], pulsetimes bigint[],
  hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql
set lock_timeout = '3s' set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  answers text[] := array_fill('null'::text, array[cardinality(starts)]);
  beat record;
  i integer;
  number bigint;
  unused bigint;
  target_id bigint;
  target_start bigint;
  target_duration bigint;
  target_hash uuid;
  target_text text;
  -- Events as heartbeats leave them: new ones, and targets that were there before.
  last integer := 0;
  numbers bigint[] := '{}';
  ids bigint[] := '{}';
  begins bigint[] := '{}';
  lengths bigint[] := '{}';
  beats integer[] := '{}'; -- one that it came from
  are_new boolean[] := '{}';
  is_listed boolean; -- the target, among these
begin
  perform from (select distinct x.hash from unnest(bucket_hashes) x(hash) order by x.hash) d
  cross join lateral (
    select from :"schema".buckets b where b.namespace = ns and b.id_hash = d.hash for update
  ) locked;
  for beat in
    select d.place::integer, b.bucket, b.next_id, e.id, e.start_us, e.duration_us, e.data_hash, e.data_text
    from unnest(bucket_hashes) with ordinality d(hash, place)
    cross join lateral (
      select known.bucket, known.next_id, known.merge_target
      from :"schema".buckets known where known.namespace = ns and known.id_hash = d.hash limit 1
    ) b
    left join lateral (
      (
        select previous.* from :"schema".events previous
        where previous.namespace = ns and previous.bucket = b.bucket and previous.id = b.merge_target limit 1
      ) union all (
        select newest.* from :"schema".events newest
        where newest.namespace = ns and newest.bucket = b.bucket order by newest.start_us desc, newest.id desc limit 1
      ) limit 1
    ) e on true
    order by d.hash, d.place
  loop
    i := beat.place;
    if number is distinct from beat.bucket then
      number := beat.bucket;
      unused := beat.next_id;
      target_id := beat.id;
      target_start := beat.start_us;
      target_duration := beat.duration_us;
      target_hash := beat.data_hash;
      target_text := beat.data_text;
      is_listed := false;
    end if;
    if target_hash = hashes[i] and target_duration >= 0 and starts[i] >= target_start
      and starts[i] <= target_start + target_duration + pulsetimes[i]
    then
      target_duration := greatest(target_duration, starts[i] - target_start + durations[i]);
      if not is_listed then
        last := last + 1;
        are_new[last] := false;
      end if;
    else
      unused := :"schema".new_id(unused);
      if unused >= 9007194959773695 then
        unused := :"schema".free_id(ns, number, unused, '{}');
      end if;
      target_id := unused;
      target_start := starts[i];
      target_duration := durations[i];
      target_hash := hashes[i];
      target_text := texts[i];
      unused := unused + 1;
      last := last + 1;
      are_new[last] := true;
    end if;
    is_listed := true;
    numbers[last] := number;
    ids[last] := target_id;
    begins[last] := target_start;
    lengths[last] := target_duration;
    beats[last] := coalesce(beats[last], i);
    answers[i] := json_build_array(target_id, target_start, target_duration,
      case when target_text <> texts[i] then target_text end)::text;
  end loop;
  insert into :"schema".events (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
  select ns, d.bucket, d.id, d.start_us, d.duration_us, hashes[d.i], texts[d.i],
    nullif(coalesce(shown[d.i], texts[d.i]), '')::jsonb
  from unnest(numbers, ids, begins, lengths, beats, are_new) d(bucket, id, start_us, duration_us, i, is_new)
  where d.is_new;
  insert into :"schema".events as known (namespace, bucket, id, start_us, duration_us, data_hash, data_text)
  select ns, d.bucket, d.id, 0, d.duration_us, w.node, ''
  from unnest(numbers, ids, lengths, are_new) d(bucket, id, duration_us, is_new)
  where not d.is_new
  on conflict (namespace, bucket, id) do update set duration_us = excluded.duration_us
  where known.duration_us < excluded.duration_us;
  insert into :"schema".buckets as known (
    namespace, bucket, id_hash, record_text, id, type, client, hostname, created,
    next_id, merge_target, longest_us, last_end_us
  )
  select ns, d.bucket, w.node, '', '', '', '', '', now(), -- none of these is taken over
    coalesce(max(d.id) filter (where d.is_new) + 1, 1), (array_agg(d.id order by d.place desc))[1],
    max(d.duration_us), max(d.start_us + d.duration_us)
  from unnest(numbers, ids, begins, lengths, are_new) with ordinality
    d(bucket, id, start_us, duration_us, is_new, place)
  group by d.bucket
  on conflict (namespace, bucket) do update
  set next_id = greatest(known.next_id, excluded.next_id), merge_target = excluded.merge_target,
    longest_us = greatest(known.longest_us, excluded.longest_us),
    last_end_us = greatest(known.last_end_us, excluded.last_end_us),
    version = known.version + 1, written = pg_current_xact_id(), writer = w.node,
    written_else = case when known.writer = w.node then known.written_else else known.written end;
  return :"schema".finish_write(ns, w, '[' || array_to_string(answers, ',') || ']');
end
$$;
