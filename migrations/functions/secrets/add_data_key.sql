-- Gives a site a new data key. Waits until no transaction holds the current one to store a value that it
-- encrypted. Returns false if p_version is not the next version. p_wrapped: the data key, encrypted with the
-- master key p_master_kid. p_proof: a value by which the service recognizes that master key. Called by
-- dev/key-rotation.ts and src/secrets.
create or replace function public.add_data_key(
  p_site_id bigint, p_version integer, p_wrapped text, p_master_kid text, p_proof text
) returns boolean
language plpgsql as $$
begin
  perform from public.data_keys d where d.site_id = p_site_id and d.version = p_version - 1 for update;
  if not found then
    return false;
  end if;
  insert into public.master_keys (kid, proof) values (p_master_kid, p_proof) on conflict do nothing;
  insert into public.data_keys (site_id, version, master_kid, wrapped)
  values (p_site_id, p_version, p_master_kid, p_wrapped) on conflict do nothing;
  return found;
end $$;
