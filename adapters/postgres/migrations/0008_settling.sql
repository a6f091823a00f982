-- What is said of a lost write has to last as long as a write does. Where sessions commit asynchronously, a crash could
-- undo it after it was told.
create or replace function :"schema".settle_write(ns text, w :"schema".write_id, out step bigint, out outcome text)
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
