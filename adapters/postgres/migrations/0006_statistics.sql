-- Statistics of tables like those to come. Without any, an event is as likely to be looked for by reading its whole
-- bucket as by the index that has it, until autovacuum has looked at the tables for the first time.

insert into :"schema".buckets (namespace, bucket, id_hash, record_text, id, type, client, hostname, created, next_id)
select 'sample ' || n, b, md5(n || ' ' || b)::uuid, '{}', 'sample', 'sample', 'sample', 'sample', now(), 1
from generate_series(1, 20) n, generate_series(1, 20) b;

insert into :"schema".events (namespace, bucket, id, start_us, duration_us, data_hash, data_text, data)
select 'sample ' || n, b, e, e * 1000000, e % 60, md5((e % 20)::text)::uuid, '{"sample":1}', '{"sample":1}'
from generate_series(1, 20) n, generate_series(1, 20) b, generate_series(1, 50) e;

analyze :"schema".buckets;
analyze :"schema".events;
truncate :"schema".buckets;
truncate :"schema".events;
