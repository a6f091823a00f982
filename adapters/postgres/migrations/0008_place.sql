-- A restored dump, an earlier point in time and a standby that missed the last writes do not know all ids that were
-- assigned: clients may know other events by them. So the database remembers where it is, and once it finds itself in
-- another place, ids skip ahead.

create table :"schema".place (
  here text not null,
  stored xid8 not null -- the transaction that inserted the row: a restored row is inserted by another one
);

-- Cluster, database and timeline, as far as this user may read them.
create function :"schema".current_place() returns text
language plpgsql stable as $$
declare
  cluster text;
  timeline text;
begin
  begin
    cluster := (select s.system_identifier from pg_control_system() s);
  exception when insufficient_privilege or undefined_function or feature_not_supported then null;
  end;
  begin
    -- That of the last checkpoint lags behind a promotion.
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when insufficient_privilege or undefined_function or feature_not_supported then null;
  end;
  return concat_ws('.', cluster, (select d.oid from pg_database d where d.datname = current_database()), timeline);
end
$$;

-- Whether the database is in another place than it remembers; null where it takes no writes.
create function :"schema".has_moved() returns boolean
language plpgsql as $$
begin
  if pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then
    return null;
  end if;
  return (
    select count(*) <> 1 or bool_or(p.here <> :"schema".current_place() or p.xmin <> p.stored::xid)
    from :"schema".place p
  );
end
$$;

-- Moves all ids on if the database has moved, once: by a quarter of all that were assigned, but at least 10 million and
-- at most 2^32. Buckets are far from the sequence where callers brought ids, and where it was not copied.
create function :"schema".skip_used_ids() returns void
language plpgsql set lock_timeout = '3s' as $$
declare
  last bigint;
  step bigint;
begin
  lock table :"schema".place in exclusive mode;
  if :"schema".has_moved() is not true then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended($id$:"schema".event_ids$id$, 0));
  last := (select case when s.is_called then s.last_value else 0 end from :"schema".event_ids s);
  step := least(4294967296, greatest(10000000, last / 4));
  if last > 0 then
    perform setval($id$:"schema".event_ids$id$, last + step);
  end if;
  update :"schema".buckets set next_id = next_id + step
  where next_id > last + 1 and next_id < 9007194959773695;
  update :"schema".namespaces set next_id = next_id + step
  where next_id > last + 1 and next_id < 9007194959773695;
  delete from :"schema".place;
  insert into :"schema".place (here, stored) values (:"schema".current_place(), pg_current_xact_id());
end
$$;
