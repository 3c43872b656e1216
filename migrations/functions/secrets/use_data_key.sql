-- Locks the data key that a value was encrypted with until the end of the transaction, so that the site gets
-- no newer key before the value is stored. With p_wrapped, it is the first key of the site, and is created if
-- the site has none; p_master_kid and p_proof are then as in public.add_data_key. Refuses (TS409) a key that
-- is not the newest of the site. Called by src/secrets.
create or replace function public.use_data_key(
  p_site_id bigint, p_version integer, p_wrapped text, p_master_kid text, p_proof text
) returns void
language plpgsql as $$
begin
  if p_wrapped is not null then
    insert into public.master_keys (kid, proof) values (p_master_kid, p_proof) on conflict do nothing;
    insert into public.data_keys (site_id, version, master_kid, wrapped)
    values (p_site_id, p_version, p_master_kid, p_wrapped) on conflict do nothing;
  end if;
  perform from public.data_keys d
   where d.site_id = p_site_id and d.version = p_version and (p_wrapped is null or d.wrapped = p_wrapped)
     for share;
  if not found
     or exists (select from public.data_keys d where d.site_id = p_site_id and d.version > p_version) then
    raise sqlstate 'TS409' using message = 'the site has a newer key';
  end if;
end $$;
