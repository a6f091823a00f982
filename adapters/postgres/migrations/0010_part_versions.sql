-- Versions of parts of a bucket, so that readers know what a write changed: the sums of past days stay valid while
-- heartbeats change today. A part has the events that start within 2^36 microseconds, 19 hours. The newest part has the
-- version of the bucket, so usual heartbeats write nothing here.

create table :"schema".part_versions (
  namespace text not null,
  bucket bigint not null,
  part integer not null,       -- start_us >> 36
  version bigint not null,     -- of the bucket, after the last change of the part; without a row nothing has changed
  primary key (namespace, bucket, part)
) with (fillfactor = 90);

-- No event that starts later was ever written; null until the first write.
alter table :"schema".buckets add column newest_part integer;

-- Notes a change of some parts in a locked bucket. Answers the newest part.
create function :"schema".note_parts(ns text, number bigint, newest integer, parts integer[], new_version bigint)
returns integer
language plpgsql as $$
declare
  later integer := greatest(newest, (select max(p) from unnest(parts) p));
begin
  insert into :"schema".part_versions (namespace, bucket, part, version)
  select distinct ns, number, p, new_version from unnest(parts || newest) p where p < later
  on conflict (namespace, bucket, part) do update set version = excluded.version;
  return later;
end
$$;

-- As in 0003_writes.sql, with parts.
create or replace function :"schema".place_events(
  ns text, b :"schema".buckets,
  ids bigint[], starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns bigint[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  reached bigint;
  replaced_end bigint;
  placed_end bigint;
  parts integer[] := array(select distinct (s >> 36)::integer from unnest(starts) s);
begin
  reached := (select max(x) + 1 from unnest(ids) x where x < 9007194959773695);
  if reached > b.next_id then
    b.next_id := reached;
    perform :"schema".skip_ids(reached);
  end if;
  for i in 1 .. cardinality(ids) loop
    if ids[i] is null then
      b.next_id := :"schema".new_id(b.next_id);
      if b.next_id >= 9007194959773695 then
        b.next_id := :"schema".free_id(ns, b.bucket, b.next_id, ids);
      end if;
      ids[i] := b.next_id;
      b.next_id := b.next_id + 1;
    end if;
  end loop;
  select max(e.start_us + e.duration_us), parts || array_agg(distinct (e.start_us >> 36)::integer)
  into replaced_end, parts from :"schema".events e
  where e.namespace = ns and e.bucket = b.bucket and e.id = any(ids);
  with placed as (
    insert into :"schema".events
      (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
    select distinct on (d.id) ns, b.bucket, d.id, d.start_us, d.duration_us, d.hash, d.text,
      nullif(coalesce(d.shown, d.text), '')::jsonb
    from unnest(ids, starts, durations, hashes, texts, shown) with ordinality
      as d(id, start_us, duration_us, hash, text, shown, place)
    order by d.id, d.place desc
    on conflict (namespace, bucket, id) do update
    set start_us = excluded.start_us, duration_us = excluded.duration_us, data_hash = excluded.data_hash,
      data_text = excluded.data_text, data = excluded.data
    returning start_us + duration_us as end_us
  )
  -- Of several with one id only the last is there.
  select max(end_us) into placed_end from placed;
  b.longest_us := greatest(b.longest_us, (select max(x) from unnest(durations) x));
  if replaced_end is not null and replaced_end >= b.last_end_us then
    b.last_end_us := :"schema".last_end(ns, b.bucket, b.longest_us);
  else
    b.last_end_us := greatest(b.last_end_us, placed_end);
  end if;
  b.newest_part := :"schema".note_parts(ns, b.bucket, b.newest_part, parts, b.version + 1);
  update :"schema".buckets
  set next_id = b.next_id, merge_target = null, longest_us = b.longest_us, last_end_us = b.last_end_us,
    newest_part = b.newest_part, version = b.version + 1,
    written = pg_current_xact_id(), writer = b.writer,
    written_else = case when writer = b.writer then written_else else written end
  where namespace = ns and bucket = b.bucket;
  return ids;
end
$$;

-- As in 0003_writes.sql, with parts.
create or replace function :"schema".delete_events(
  ns text, w :"schema".write_id, bucket_hash uuid, ids bigint[]
) returns text
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
  deleted bigint;
  deleted_end bigint;
  parts integer[];
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'null');
  end if;
  with gone as (
    delete from :"schema".events where namespace = ns and bucket = b.bucket and id = any(ids)
    returning start_us + duration_us as end_us, (start_us >> 36)::integer as part
  )
  select count(*), max(end_us), array_agg(distinct part) into deleted, deleted_end, parts from gone;
  if deleted > 0 then
    b.newest_part := :"schema".note_parts(ns, b.bucket, b.newest_part, parts, b.version + 1);
    update :"schema".buckets
    set newest_part = b.newest_part, version = b.version + 1, last_end_us = case
      when deleted_end >= last_end_us then :"schema".last_end(ns, b.bucket, b.longest_us) else last_end_us
    end
    where namespace = ns and bucket = b.bucket;
    perform :"schema".note_change(ns, w, 'events-deleted', bucket_hash, :"schema".id_text(b.record_text));
  end if;
  return :"schema".finish_write(ns, w, deleted::text);
end
$$;

-- As in 0007_heartbeats_together.sql, with parts.
create or replace function :"schema".put_heartbeats(
  ns text, w :"schema".write_id, bucket_hashes uuid[], starts bigint[], durations bigint[], pulsetimes bigint[],
  hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql
set lock_timeout = '3s' set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  answers text[] := array_fill('null'::text, array[cardinality(starts)]);
  b record;
  i integer;
  target :"schema".events;
  kept bigint; -- the target if it was there before
  kept_length bigint;
  kept_start bigint;
  grown bigint;
  parts integer[];
  -- New events, each with the heartbeat that began it.
  count integer := 0;
  begun_by integer[] := '{}';
  numbers bigint[] := '{}';
  ids bigint[] := '{}';
  lengths bigint[] := '{}';
begin
  for b in
    select d.places, locked.*
    from (
      select x.hash, array_agg(x.place::integer order by x.place) as places
      from unnest(bucket_hashes) with ordinality as x(hash, place) group by x.hash order by x.hash
    ) d
    cross join lateral (
      select known.bucket, known.newest_part, known.version + 1 as version, known.next_id, known.merge_target,
        known.longest_us, known.last_end_us
      from :"schema".buckets known where known.namespace = ns and known.id_hash = d.hash for update
    ) locked
  loop
    select * into target from :"schema".events e
    where e.namespace = ns and e.bucket = b.bucket and e.id = b.merge_target;
    if not found then
      select * into target from :"schema".events e
      where e.namespace = ns and e.bucket = b.bucket order by e.start_us desc, e.id desc limit 1;
    end if;
    kept := target.id;
    kept_length := null;
    parts := null;
    foreach i in array b.places loop
      if target.data_hash = hashes[i] and target.duration_us >= 0 and starts[i] >= target.start_us
        and starts[i] <= target.start_us + target.duration_us + pulsetimes[i]
      then
        grown := starts[i] - target.start_us + durations[i];
        if grown > target.duration_us then
          target.duration_us := grown;
          if target.id = kept then
            kept_length := grown;
          else
            lengths[count] := grown;
          end if;
        end if;
      else
        b.next_id := :"schema".new_id(b.next_id);
        if b.next_id >= 9007194959773695 then
          b.next_id := :"schema".free_id(ns, b.bucket, b.next_id, '{}');
        end if;
        target.id := b.next_id;
        target.start_us := starts[i];
        target.duration_us := durations[i];
        target.data_hash := hashes[i];
        target.data_text := texts[i];
        b.next_id := b.next_id + 1;
        count := count + 1;
        begun_by[count] := i;
        if b.newest_part is distinct from target.start_us >> 36 then
          parts := parts || (target.start_us >> 36)::integer;
        end if;
        numbers[count] := b.bucket;
        ids[count] := target.id;
        lengths[count] := target.duration_us;
      end if;
      b.longest_us := greatest(b.longest_us, target.duration_us);
      b.last_end_us := greatest(b.last_end_us, target.start_us + target.duration_us);
      answers[i] := json_build_array(target.id, target.start_us, target.duration_us,
        case when target.data_text <> texts[i] then target.data_text end)::text;
    end loop;
    if kept_length is not null then
      update :"schema".events set duration_us = kept_length
      where namespace = ns and bucket = b.bucket and id = kept returning start_us into kept_start;
      if b.newest_part is distinct from kept_start >> 36 then
        parts := parts || (kept_start >> 36)::integer;
      end if;
    end if;
    if parts is not null then
      b.newest_part := :"schema".note_parts(ns, b.bucket, b.newest_part, parts, b.version);
    end if;
    update :"schema".buckets
    set next_id = b.next_id, merge_target = target.id, longest_us = b.longest_us, last_end_us = b.last_end_us,
      newest_part = b.newest_part, version = b.version, written = pg_current_xact_id(), writer = w.node,
      written_else = case when writer = w.node then written_else else written end
    where namespace = ns and bucket = b.bucket;
  end loop;
  if count > 0 then
    insert into :"schema".events (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
    select ns, d.bucket, d.id, starts[d.i], d.duration_us, hashes[d.i], texts[d.i],
      nullif(coalesce(shown[d.i], texts[d.i]), '')::jsonb
    from unnest(begun_by, numbers, ids, lengths) as d(i, bucket, id, duration_us);
  end if;
  return :"schema".finish_write(ns, w, '[' || array_to_string(answers, ',') || ']');
end
$$;

-- As in 0005_records.sql, with parts.
create or replace function :"schema".delete_bucket(ns text, w :"schema".write_id, bucket_hash uuid) returns text
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  n :"schema".namespaces := :"schema".locked_namespace(ns);
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'false');
  end if;
  delete from :"schema".events where namespace = ns and bucket = b.bucket;
  delete from :"schema".part_versions where namespace = ns and bucket = b.bucket;
  delete from :"schema".buckets where namespace = ns and bucket = b.bucket;
  update :"schema".namespaces set version = version + 1, next_id = greatest(n.next_id, b.next_id)
  where namespace = ns;
  perform :"schema".note_deleted(ns, w, bucket_hash, :"schema".id_text(b.record_text));
  perform :"schema".forget_changes(ns);
  return :"schema".finish_write(ns, w, 'true');
end
$$;

-- As in 0009_namespaces.sql, with parts.
create or replace function :"schema".delete_namespace(ns text, sync text) returns void
language plpgsql set lock_timeout = '3s' set plan_cache_mode = force_custom_plan as $$
begin
  if sync = 'off' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then
    perform set_config('synchronous_commit', sync, true);
  end if;
  perform :"schema".locked_namespace(ns);
  perform from :"schema".namespaces n where n.namespace = ns for update;
  perform from :"schema".buckets b where b.namespace = ns order by b.id_hash for update;
  delete from :"schema".settings where namespace = ns;
  delete from :"schema".records where namespace = ns;
  delete from :"schema".changes where namespace = ns;
  delete from :"schema".writes where namespace = ns;
  delete from :"schema".settings where namespace = ns;
  delete from :"schema".records where namespace = ns;
  delete from :"schema".changes where namespace = ns;
  delete from :"schema".events where namespace = ns;
  delete from :"schema".part_versions where namespace = ns;
  delete from :"schema".buckets where namespace = ns;
  delete from :"schema".namespaces where namespace = ns;
end
$$;
