-- Buckets, settings and records.

-- Locks what belongs to the list of buckets of a namespace, which is made if this is its first bucket.
create function :"schema".locked_namespace(ns text) returns :"schema".namespaces
language sql set lock_timeout = '3s' as $$
  insert into :"schema".namespaces (namespace) values (ns) on conflict (namespace) do nothing;
  select * from :"schema".namespaces n where n.namespace = ns for update
$$;

-- Creates a bucket with its events. Answers their ids; null when the id is taken.
create function :"schema".create_bucket(
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

-- Replaces the record of a bucket if it still is as it was read. Answers whether it was.
create function :"schema".replace_bucket(
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

-- Answers whether there was such a bucket.
create function :"schema".delete_bucket(ns text, w :"schema".write_id, bucket_hash uuid) returns text
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

create function :"schema".put_setting(
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

-- Answers whether there was such a setting.
create function :"schema".delete_setting(ns text, w :"schema".write_id, hash uuid) returns text
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

-- Replaces a record if it still has the expected value; null stands for none, on both sides. Answers whether it was.
create function :"schema".set_record(
  ns text, w :"schema".write_id, hash_of_kind uuid, hash uuid, exact_kind text, exact_key text,
  expected uuid, hash_of_value uuid, exact_value text
) returns text
language plpgsql as $$
begin
  if expected is null and exact_value is null then
    perform from :"schema".records where namespace = ns and kind_hash = hash_of_kind and key_hash = hash;
    return :"schema".finish_write(ns, w, to_json(not found)::text);
  elsif expected is null then
    insert into :"schema".records (namespace, kind_hash, key_hash, kind_text, key_text, value_hash, value_text)
    values (ns, hash_of_kind, hash, exact_kind, exact_key, hash_of_value, exact_value)
    on conflict (namespace, kind_hash, key_hash) do nothing;
  elsif exact_value is null then
    delete from :"schema".records
    where namespace = ns and kind_hash = hash_of_kind and key_hash = hash and value_hash = expected;
  else
    update :"schema".records set value_hash = hash_of_value, value_text = exact_value
    where namespace = ns and kind_hash = hash_of_kind and key_hash = hash and value_hash = expected;
  end if;
  return :"schema".finish_write(ns, w, to_json(found)::text);
end
$$;

-- Gives a locked bucket another id; its events belong to its number, so they stay where they are. Called within a
-- transaction that holds the namespace and the bucket, when no bucket has the new id. Answers whether it was there.
create function :"schema".rename_bucket(
  ns text, w :"schema".write_id, bucket_hash uuid, new_hash uuid, exact text, fields text[]
) returns text
language plpgsql as $$
declare
  n :"schema".namespaces := :"schema".locked_namespace(ns);
  b :"schema".buckets := :"schema".locked_bucket(ns, bucket_hash);
begin
  if b.bucket is null then
    return :"schema".finish_write(ns, w, 'false');
  end if;
  update :"schema".buckets
  set id_hash = new_hash, record_text = exact, id = fields[1], version = version + 1
  where namespace = ns and bucket = b.bucket;
  update :"schema".namespaces set version = version + 1 where namespace = ns;
  perform :"schema".note_deleted(ns, w, bucket_hash, :"schema".id_text(b.record_text));
  perform :"schema".note_created(ns, w, new_hash, :"schema".id_text(exact));
  return :"schema".finish_write(ns, w, 'true');
end
$$;
