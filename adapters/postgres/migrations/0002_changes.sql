-- How writes are noted for readers on other nodes, and how these read them (0001_tables.sql).

-- Notes a change that is no write of events.
create function :"schema".note_change(ns text, w :"schema".write_id, what text, hash uuid, exact text) returns void
language sql as $$
  insert into :"schema".changes as known (namespace, kind, name_hash, name_text, written, writer, noted)
  values (ns, what, hash, exact, pg_current_xact_id(), w.node, now())
  on conflict (namespace, kind, name_hash) do update
  set written_else = case when known.writer = excluded.writer then known.written_else else known.written end,
    name_text = excluded.name_text, written = excluded.written, writer = excluded.writer, noted = excluded.noted
$$;

-- The id at the front of a bucket's record, as JSON text; of records that begin with something else the whole.
create function :"schema".id_text(record text) returns text
language sql immutable as $$
  select coalesce(substring(record from '^\{"id":("([^"\\]|\\.)*")'), record)
$$;

-- Forgets changes of long ago, wherever names go out of use: only these could be ever more.
create function :"schema".forget_changes(ns text) returns void
language sql as $$
  with gone as (
    delete from :"schema".changes where namespace = ns and (kind, name_hash) in (
      select old.kind, old.name_hash from :"schema".changes old
      where old.namespace = ns and old.noted < now() - interval '7 days' for update skip locked
    )
    returning written
  )
  insert into :"schema".namespaces as known (namespace, forgotten)
  select ns, written from gone order by written desc limit 1
  on conflict (namespace) do update set forgotten = greatest(known.forgotten, excluded.forgotten)
$$;

-- What was written from transaction `since` on, which `epoch` goes with: another cluster, or another history of this
-- one, numbers its transactions anew. Answers at least one row. Rows with a kind are changes, in their order; with
-- `later` they may be told once their transaction is below `next`, where the cursor goes on.
create function :"schema".read_changes(ns text, reader uuid, epoch text, since xid8)
returns table (epoch_now text, next xid8, gone boolean, kind text, name text, elsewhere boolean, later boolean)
language plpgsql stable as $$
begin
  return query with now_is as materialized (
    select pg_snapshot_xmin(pg_current_snapshot()) as horizon,
      (select s.system_identifier from pg_control_system() s) || '.' ||
      (select c.timeline_id from pg_control_checkpoint() c) as history
  ), found as (
    select 'events-written' as what, :"schema".id_text(b.record_text) as id, b.written, b.writer, b.written_else
    from :"schema".buckets b where b.namespace = ns and b.written >= since
    union all
    select c.kind, c.name_text, c.written, c.writer, c.written_else
    from :"schema".changes c where c.namespace = ns and c.written >= since
  )
  select n.history, n.horizon,
    epoch <> n.history or since > n.horizon or since <= (
      select known.forgotten from :"schema".namespaces known where known.namespace = ns
    ),
    f.what, f.id, f.writer <> reader or f.written_else >= since, f.written >= n.horizon
  from now_is n left join found f on true
  order by f.written, f.what, f.id;
end
$$;

-- Notes that a bucket is gone: nothing else is told of it any more.
create function :"schema".note_deleted(ns text, w :"schema".write_id, hash uuid, exact text) returns void
language sql as $$
  delete from :"schema".changes where namespace = ns and name_hash = hash
    and kind in ('bucket-created', 'bucket-updated', 'events-deleted');
  select :"schema".note_change(ns, w, 'bucket-deleted', hash, exact);
$$;

-- Notes that a bucket is there. One that the same transaction deleted before has no order beside it.
create function :"schema".note_created(ns text, w :"schema".write_id, hash uuid, exact text) returns void
language sql as $$
  delete from :"schema".changes where namespace = ns and name_hash = hash
    and kind = 'bucket-deleted' and written = pg_current_xact_id();
  select :"schema".note_change(ns, w, 'bucket-created', hash, exact);
$$;
