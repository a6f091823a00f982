-- The functions that write, each of which notes its change as well. Otherwise they are what they were.

-- The same, and notes the write as one of the node in `b.writer`.
create or replace function :"schema".place_events(
  ns text, b :"schema".buckets,
  ids bigint[], starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns bigint[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  replaced_end bigint;
  placed_end bigint;
begin
  b.next_id := greatest(b.next_id, (select max(x) + 1 from unnest(ids) x where x < 9007194959773695));
  for i in 1 .. cardinality(ids) loop
    if ids[i] is null then
      if b.next_id >= 9007194959773695 then
        b.next_id := :"schema".free_id(ns, b.bucket, b.next_id, ids);
      end if;
      ids[i] := b.next_id;
      b.next_id := b.next_id + 1;
    end if;
  end loop;
  select max(e.start_us + e.duration_us) into replaced_end from :"schema".events e
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
  update :"schema".buckets
  set next_id = b.next_id, merge_target = null, longest_us = b.longest_us, last_end_us = b.last_end_us,
    version = version + 1, written = pg_current_xact_id(), writer = b.writer,
    written_else = case when writer = b.writer then written_else else written end
  where namespace = ns and bucket = b.bucket;
  return ids;
end
$$;

create or replace function :"schema".put_events(
  ns text, w :"schema".write_id, bucket_hash uuid,
  ids bigint[], starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql as $$
declare
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'null');
  end if;
  if cardinality(starts) > 0 then
    b.writer := w.node;
    ids := :"schema".place_events(ns, b, ids, starts, durations, hashes, texts, shown);
  end if;
  return :"schema".finish_write(ns, w, to_json(ids)::text);
end
$$;

create or replace function :"schema".merge_events(
  ns text, w :"schema".write_id, bucket_hash uuid,
  starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'null');
  end if;
  select array_agg(d.start_us order by d.place), array_agg(d.duration_us order by d.place),
    array_agg(d.hash order by d.place), array_agg(d.text order by d.place), array_agg(d.shown order by d.place)
  into starts, durations, hashes, texts, shown
  from unnest(starts, durations, hashes, texts, shown) with ordinality
    as d(start_us, duration_us, hash, text, shown, place)
  where not exists (
    select from :"schema".events e
    where e.namespace = ns and e.bucket = b.bucket and e.start_us = d.start_us and e.duration_us = d.duration_us
      and e.data_hash = d.hash
  );
  if starts is not null then
    b.writer := w.node;
    perform :"schema".place_events(
      ns, b, array_fill(null::bigint, array[cardinality(starts)]), starts, durations, hashes, texts, shown);
  end if;
  return :"schema".finish_write(ns, w, coalesce(cardinality(starts), 0)::text);
end
$$;

create or replace function :"schema".delete_events(
  ns text, w :"schema".write_id, bucket_hash uuid, ids bigint[]
) returns text
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
  deleted bigint;
  deleted_end bigint;
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'null');
  end if;
  with gone as (
    delete from :"schema".events where namespace = ns and bucket = b.bucket and id = any(ids)
    returning start_us + duration_us as end_us
  )
  select count(*), max(end_us) into deleted, deleted_end from gone;
  if deleted > 0 then
    update :"schema".buckets
    set version = version + 1, last_end_us = case
      when deleted_end >= last_end_us then :"schema".last_end(ns, b.bucket, b.longest_us) else last_end_us
    end
    where namespace = ns and bucket = b.bucket;
    perform :"schema".note_change(ns, w, 'events-deleted', bucket_hash, :"schema".id_text(b.record_text));
  end if;
  return :"schema".finish_write(ns, w, deleted::text);
end
$$;

create or replace function :"schema".put_heartbeats(
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

create or replace function :"schema".create_bucket(
  ns text, w :"schema".write_id, bucket_hash uuid, exact text, fields text[], created_us bigint, bucket_data text,
  ids bigint[], starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns text
language plpgsql as $$
declare
  n :"schema".namespaces := :"schema".locked_namespace(ns);
  b :"schema".buckets;
begin
  insert into :"schema".buckets
    (namespace, bucket, id_hash, record_text, id, type, client, hostname, name, created, data, next_id)
  values (ns, n.next_bucket, bucket_hash, exact, fields[1], fields[2], fields[3], fields[4], fields[5],
    timestamptz '1970-01-01 00:00:00+00' + interval '1 microsecond' * created_us,
    nullif(bucket_data, '')::jsonb, n.next_id)
  on conflict (namespace, id_hash) do nothing
  returning * into b;
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'null');
  end if;
  update :"schema".namespaces set next_bucket = next_bucket + 1, version = version + 1 where namespace = ns;
  perform :"schema".note_created(ns, w, bucket_hash, :"schema".id_text(exact));
  if cardinality(starts) > 0 then
    b.writer := w.node;
    ids := :"schema".place_events(ns, b, ids, starts, durations, hashes, texts, shown);
  end if;
  return :"schema".finish_write(ns, w, to_json(ids)::text);
end
$$;

create or replace function :"schema".replace_bucket(
  ns text, w :"schema".write_id, bucket_hash uuid, expected text, exact text, fields text[], bucket_data text
) returns text
language plpgsql as $$
begin
  perform :"schema".locked_namespace(ns);
  update :"schema".buckets
  set record_text = exact, type = fields[2], client = fields[3], hostname = fields[4], name = fields[5],
    data = nullif(bucket_data, '')::jsonb
  where namespace = ns and id_hash = bucket_hash and record_text = expected;
  if not found then
    return :"schema".finish_write(ns, w, 'false');
  end if;
  update :"schema".namespaces set version = version + 1 where namespace = ns;
  perform :"schema".note_change(ns, w, 'bucket-updated', bucket_hash, :"schema".id_text(exact));
  return :"schema".finish_write(ns, w, 'true');
end
$$;

-- Of a bucket that is gone nothing else is told.
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
  delete from :"schema".buckets where namespace = ns and bucket = b.bucket;
  update :"schema".namespaces set version = version + 1, next_id = greatest(n.next_id, b.next_id)
  where namespace = ns;
  perform :"schema".note_deleted(ns, w, bucket_hash, :"schema".id_text(b.record_text));
  perform :"schema".forget_changes(ns);
  return :"schema".finish_write(ns, w, 'true');
end
$$;

create or replace function :"schema".put_setting(
  ns text, w :"schema".write_id, hash uuid, exact_key text, exact_value text, shown_key text, shown_value text
) returns text
language plpgsql as $$
begin
  insert into :"schema".settings (namespace, key_hash, key_text, value_text, key, value)
  values (ns, hash, exact_key, exact_value, shown_key, nullif(shown_value, '')::jsonb)
  on conflict (namespace, key_hash) do update set value_text = excluded.value_text, value = excluded.value;
  perform :"schema".note_change(ns, w, 'setting', hash, exact_key);
  return :"schema".finish_write(ns, w, 'true');
end
$$;

create or replace function :"schema".delete_setting(ns text, w :"schema".write_id, hash uuid) returns text
language plpgsql as $$
declare
  exact_key text;
begin
  delete from :"schema".settings where namespace = ns and key_hash = hash returning key_text into exact_key;
  if exact_key is null then
    return :"schema".finish_write(ns, w, 'false');
  end if;
  perform :"schema".note_change(ns, w, 'setting', hash, exact_key);
  perform :"schema".forget_changes(ns);
  return :"schema".finish_write(ns, w, 'true');
end
$$;
