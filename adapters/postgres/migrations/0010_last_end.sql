-- The planner cannot know how few events lie behind a bound that a subquery finds: it takes a third of the table, and
-- reads all of it, those of other namespaces included. So the newest event of a large bucket took seconds to be deleted.

alter function :"schema".last_end(text, bigint, bigint) set enable_seqscan = off;
alter function :"schema".last_end(text, bigint, bigint) set enable_bitmapscan = off;
alter function :"schema".last_end(text, bigint, bigint) set max_parallel_workers_per_gather = 0;
