-- Tables and the view. Every key begins with the namespace, so that a cluster can distribute all of them by it.
-- Hashes are the first 128 bits of SHA-256, made by the program; *_text columns are JSON texts, exactly as they came.

-- Event ids, for all buckets: what is given in one is unknown in another. It goes on without waiting for a transaction.
create sequence :"schema".event_ids;

create table :"schema".namespaces (
  namespace text primary key,
  next_bucket bigint not null default 1, -- number of the next bucket; none is used twice
  next_id bigint not null default 1,     -- above every event id that a deleted bucket has given out
  version bigint not null default 0,     -- grows with every change of the list of buckets
  forgotten xid8 not null default '0'    -- changes up to here are not kept: too old for a cursor
);

create table :"schema".buckets (
  namespace text not null,
  bucket bigint not null,
  id_hash uuid not null,
  record_text text not null,             -- all fields below, exactly; these are for people
  id text not null,
  type text not null,
  client text not null,
  hostname text not null,
  name text,
  created timestamptz not null,
  data jsonb,
  next_id bigint not null default nextval($id$:"schema".event_ids$id$), -- above every id it has given out
  merge_target bigint,                   -- event of the previous heartbeat, until something is put
  longest_us bigint not null default 0,  -- no event was ever longer: how far back an overlap search begins
  last_end_us bigint,                    -- greatest end of an event
  version bigint not null default 0,     -- grows with every change of events
  written xid8,                          -- the transaction that wrote events last
  writer uuid,                           -- its node
  written_else xid8,                     -- the last one of another node than that
  primary key (namespace, bucket),
  unique (namespace, id_hash)
) with (fillfactor = 50); -- its counters change with every heartbeat, without touching an index

create table :"schema".events (
  namespace text not null,
  bucket bigint not null,
  id bigint not null,
  start_us bigint not null,              -- microseconds since 1970-01-01 UTC
  duration_us bigint not null,
  data_hash uuid not null,               -- equal for data that are equal as JSON, whatever the order of keys
  data_text text not null,
  data jsonb,                            -- for people: U+FFFD for what jsonb cannot hold, null where that is not enough
  primary key (namespace, bucket, id)
) with (fillfactor = 95);
create index events_by_time on :"schema".events (namespace, bucket, start_us, id);

create table :"schema".settings (
  namespace text not null,
  key_hash uuid not null,
  key_text text not null,
  value_text text not null,
  key text not null,
  value jsonb,
  primary key (namespace, key_hash)
);

create table :"schema".records (
  namespace text not null,
  kind_hash uuid not null,
  key_hash uuid not null,
  kind_text text not null,
  key_text text not null,
  value_hash uuid not null,
  value_text text not null,
  primary key (namespace, kind_hash, key_hash)
);

-- The last write of each lane of each node, stored by the transaction of that write. It tells whether a write whose
-- answer was lost has been applied.
create table :"schema".writes (
  namespace text not null,
  node uuid not null,
  lane integer not null,
  step bigint not null,
  outcome text,
  used timestamptz not null,
  primary key (namespace, node, lane)
) with (fillfactor = 50);

create type :"schema".write_id as (node uuid, lane integer, step bigint, sync text);

-- What was written, for readers on other nodes, by the transaction that wrote it. Readers take what is below every
-- transaction that still runs, in the order of transactions: so all of them see one order, and none skips a transaction
-- that commits late. Each kind of write to each bucket or setting has one place, that of its last transaction; a second
-- one is that of the last transaction of another node than the last: what a node knows of its own needs no telling.
create table :"schema".changes (
  namespace text not null,
  kind text not null,
  name_hash uuid not null,
  name_text text not null,           -- id of a bucket or key of a setting as JSON text, or the record of the bucket
  written xid8 not null,
  writer uuid not null,
  written_else xid8,
  noted timestamptz not null,
  primary key (namespace, kind, name_hash)
) with (fillfactor = 50);

create view :"schema".activity as
select
  e.namespace,
  b.id as bucket,
  b.type,
  b.client,
  b.hostname,
  e.id,
  timestamptz '1970-01-01 00:00:00+00' + interval '1 microsecond' * e.start_us as started,
  interval '1 microsecond' * e.duration_us as duration,
  e.data
from :"schema".events e
join :"schema".buckets b on b.namespace = e.namespace and b.bucket = e.bucket;
