-- Gives a locked bucket another id; its events belong to its number, so they stay where they are. Called within a
-- transaction that holds the namespace and the bucket, when no bucket has the new id. Answers whether it was there.
create function :"schema".rename_bucket(
  ns text, w :"schema".write_id, bucket_hash uuid, new_hash uuid, exact text, fields text[]
) returns text
language plpgsql as $$
begin
  perform :"schema".locked_namespace(ns);
  update :"schema".buckets
  set id_hash = new_hash, record_text = exact, id = fields[1], version = version + 1
  where namespace = ns and id_hash = bucket_hash;
  if not found then
    return :"schema".finish_write(ns, w, 'false');
  end if;
  update :"schema".namespaces set version = version + 1 where namespace = ns;
  return :"schema".finish_write(ns, w, 'true');
end
$$;
