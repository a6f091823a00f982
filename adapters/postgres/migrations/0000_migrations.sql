-- Which migrations were applied. Runs before the others, and again before each later one.
create table if not exists :"schema".migrations (
  version integer primary key,
  applied timestamptz not null default now()
);
