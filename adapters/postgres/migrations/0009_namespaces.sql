-- Deleting a namespace. A node that opened it before must not write to a later namespace of the same name, so each
-- namespace has an incarnation. A node shows it for each new lane (0003_writes.sql), and a write needs its lane: so
-- writes do not look at it.

alter table :"schema".namespaces add column incarnation uuid not null default gen_random_uuid();

insert into :"schema".namespaces (namespace)
select namespace from :"schema".settings union select namespace from :"schema".records
union select namespace from :"schema".writes
on conflict (namespace) do nothing;

-- As in 0005_records.sql, but begin_lane does not wait for it, and it waits for delete_namespace.
create or replace function :"schema".locked_namespace(ns text) returns :"schema".namespaces
language plpgsql set lock_timeout = '3s' as $$
declare
  n :"schema".namespaces;
begin
  loop
    select * into n from :"schema".namespaces known where known.namespace = ns for no key update;
    if found then
      return n;
    end if;
    insert into :"schema".namespaces (namespace) values (ns) on conflict (namespace) do nothing;
  end loop;
end
$$;

-- Begins a lane, whose first write has step 2, and returns the incarnation. Fails if the namespace was deleted since the
-- node knew it; `known` is null if there was none.
create function :"schema".begin_lane(ns text, of_node uuid, number integer, known uuid) returns uuid
language plpgsql set lock_timeout = '3s' as $$
declare
  found_one uuid;
begin
  loop
    -- Waits for a deletion, and keeps one waiting.
    select n.incarnation into found_one from :"schema".namespaces n where n.namespace = ns for key share;
    exit when found_one is not null or known is not null;
    insert into :"schema".namespaces (namespace) values (ns) on conflict (namespace) do nothing;
  end loop;
  if found_one is distinct from coalesce(known, found_one) then
    raise exception 'the namespace was deleted' using errcode = 'AS002';
  end if;
  -- Lanes of processes that ended long ago.
  delete from :"schema".writes where namespace = ns and (node, lane) in (
    select old.node, old.lane from :"schema".writes old
    where old.namespace = ns and old.used < now() - interval '7 days' for update skip locked
  );
  insert into :"schema".writes (namespace, node, lane, step, used) values (ns, of_node, number, 1, now());
  return found_one;
end
$$;

-- As in 0003_writes.sql, but a lane must have begun. Nodes of earlier versions begin a lane with step 1.
create or replace function :"schema".finish_write(ns text, w :"schema".write_id, answer text) returns text
language plpgsql as $$
begin
  if w.sync = 'off' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then
    perform set_config('synchronous_commit', w.sync, true);
  end if;
  if w.step = 1 then
    insert into :"schema".writes (namespace, node, lane, step, outcome, used)
    values (ns, w.node, w.lane, w.step, answer, now())
    on conflict (namespace, node, lane) do nothing;
  else
    update :"schema".writes set step = w.step, outcome = answer, used = now()
    where namespace = ns and node = w.node and lane = w.lane and step = w.step - 1;
  end if;
  if not found then
    raise exception 'this write was given up' using errcode = 'AS001';
  end if;
  return answer;
end
$$;

-- As in 0003_writes.sql, but a write whose lane is gone was not applied.
create or replace function :"schema".settle_write(ns text, w :"schema".write_id, out step bigint, out outcome text)
language plpgsql as $$
begin
  if w.sync = 'off' or current_setting('synchronous_commit') in ('off', 'local', 'remote_write') then
    perform set_config('synchronous_commit', w.sync, true);
  end if;
  if w.step = 1 then
    insert into :"schema".writes (namespace, node, lane, step, used)
    values (ns, w.node, w.lane, w.step + 1, now())
    on conflict (namespace, node, lane) do nothing;
  else
    update :"schema".writes known set step = w.step + 1, outcome = null, used = now()
    where known.namespace = ns and known.node = w.node and known.lane = w.lane and known.step = w.step - 1;
  end if;
  select known.step, known.outcome into step, outcome from :"schema".writes known
  where known.namespace = ns and known.node = w.node and known.lane = w.lane;
end
$$;

-- Deletes everything of a namespace. It locks in the order of all writes. Once the lanes are gone, no write of a node
-- that has opened the namespace succeeds; what succeeded before is visible to the statements after that.
create function :"schema".delete_namespace(ns text, sync text) returns void
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
  delete from :"schema".buckets where namespace = ns;
  delete from :"schema".namespaces where namespace = ns;
end
$$;
