-- Every write is one call of one of these functions, so one statement and one transaction. Each ends with finish_write,
-- and locks in the same order: namespace, then buckets by their hash, then its own lane. Those that touch any number of
-- events are planned at each call: a plan made while a table was small would read all of it later.

-- Notes that a write was applied, and what it answered. Fails when the write was given up meanwhile.
create function :"schema".finish_write(ns text, w :"schema".write_id, answer text) returns text
language plpgsql as $$
begin
  if w.sync = 'off' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then
    perform set_config('synchronous_commit', w.sync, true);
  end if;
  if w.step = 1 then -- a new lane: those of processes that are long gone can go
    delete from :"schema".writes where namespace = ns and (node, lane) in (
      select old.node, old.lane from :"schema".writes old
      where old.namespace = ns and old.used < now() - interval '7 days' for update skip locked
    );
  end if;
  insert into :"schema".writes as known (namespace, node, lane, step, outcome, used)
  values (ns, w.node, w.lane, w.step, answer, now())
  on conflict (namespace, node, lane) do update
  set step = excluded.step, outcome = excluded.outcome, used = excluded.used
  where known.step = excluded.step - 1;
  if not found then
    raise exception 'this write was given up' using errcode = 'AS001';
  end if;
  return answer;
end
$$;

-- Tells what became of a write: its answer, with step as it was, if it was applied. Otherwise it never will be, as its
-- lane is a step further. Waits for a transaction that still runs. What is said of a lost write has to last as long as a
-- write does: where sessions commit asynchronously, a crash could undo it after it was told.
create function :"schema".settle_write(ns text, w :"schema".write_id, out step bigint, out outcome text)
language plpgsql as $$
begin
  if w.sync = 'off' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then
    perform set_config('synchronous_commit', w.sync, true);
  end if;
  insert into :"schema".writes as known (namespace, node, lane, step, used)
  values (ns, w.node, w.lane, w.step + 1, now())
  on conflict (namespace, node, lane) do update
  set step = excluded.step, outcome = null, used = excluded.used
  where known.step = w.step - 1;
  select known.step, known.outcome into step, outcome from :"schema".writes known
  where known.namespace = ns and known.node = w.node and known.lane = w.lane;
end
$$;

-- Locks a bucket until the transaction ends. No row when there is no such bucket. A lock that somebody holds on to would
-- keep the connections of all who wait for it: the node gives up after five seconds, the server would go on waiting.
create function :"schema".locked_bucket(ns text, bucket_hash uuid) returns :"schema".buckets
language sql set lock_timeout = '3s' as $$
  select * from :"schema".buckets b where b.namespace = ns and b.id_hash = bucket_hash for update
$$;

-- The greatest end of an event. An event that ends later than the one that begins last begins less than the longest
-- duration before that end. The planner cannot know how few events lie behind a bound that a subquery finds: left to
-- itself it reads all of the table, other namespaces included.
create function :"schema".last_end(ns text, number bigint, longest bigint) returns bigint
language sql stable
set enable_seqscan = off set enable_bitmapscan = off set max_parallel_workers_per_gather = 0 as $$
  select max(e.start_us + e.duration_us) from :"schema".events e
  where e.namespace = ns and e.bucket = number and e.start_us >= (
    select least(newest.start_us, newest.start_us + newest.duration_us) - longest from :"schema".events newest
    where newest.namespace = ns and newest.bucket = number
    order by newest.start_us desc, newest.id desc limit 1
  )
$$;

-- Moves the sequence on, so that it gives ids from `floor` on. Over a short way step by step, as nobody can be set back
-- by that; not further than 2^32 at once: ids that one namespace brings shall not use up those of the others.
create function :"schema".skip_ids(floor bigint) returns void
language plpgsql as $$
declare
  way bigint := floor - (select case when s.is_called then s.last_value + 1 else 1 end from :"schema".event_ids s);
begin
  if way <= 100000 then
    perform nextval($id$:"schema".event_ids$id$) from generate_series(1, way);
  elsif way <= 4294967296 then
    perform pg_advisory_xact_lock(hashtextextended($id$:"schema".event_ids$id$, 0));
    perform setval($id$:"schema".event_ids$id$, greatest(floor - 1, s.last_value)) from :"schema".event_ids s;
  end if;
end
$$;

-- The next id of a bucket whose own ids are below `floor`. Where the sequence is too far behind, that is `floor`.
create function :"schema".new_id(floor bigint) returns bigint
language plpgsql as $$
declare
  id bigint := nextval($id$:"schema".event_ids$id$);
begin
  if id < floor then
    perform :"schema".skip_ids(floor);
    id := nextval($id$:"schema".event_ids$id$);
  end if;
  return case when id between floor and 9007194959773694 then id else floor end;
end
$$;

-- A new id of a bucket near the end of all ids, where callers can push the counter: passes over those in use.
create function :"schema".free_id(ns text, number bigint, candidate bigint, brought bigint[]) returns bigint
language plpgsql as $$
begin
  while candidate = any(brought) or exists (
    select from :"schema".events e where e.namespace = ns and e.bucket = number and e.id = candidate
  ) loop
    candidate := candidate + 1;
  end loop;
  return candidate;
end
$$;

-- Stores events in a locked bucket, as the node in `b.writer`, and returns their ids. Ids that are null are given here, above all that are brought.
create function :"schema".place_events(
  ns text, b :"schema".buckets,
  ids bigint[], starts bigint[], durations bigint[], hashes uuid[], texts text[], shown text[]
) returns bigint[]
language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  reached bigint;
  replaced_end bigint;
  placed_end bigint;
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

-- Of several drafts with one id the last is stored. Answers the ids; null when there is no such bucket.
create function :"schema".put_events(
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

-- Stores the drafts that the bucket did not hold before. Answers how many; null when there is no such bucket.
create function :"schema".merge_events(
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

-- Answers how many events there were; null when there is no such bucket.
create function :"schema".delete_events(
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
