-- Makes the role of a future site, unless p_wanted of them are prepared. Neon's control plane takes part in
-- creating a role, so that it takes long and may fail: no request should wait for it. Returns whether it made
-- one. Called by src/identity/organizations.
create or replace function public.prepare_site(p_wanted integer) returns boolean
language plpgsql as $$
declare
  prepared bigint;
begin
  if (select count(*) from public.prepared_sites) >= p_wanted then
    return false;
  end if;
  insert into public.prepared_sites (id) values (nextval('public.sites_id_seq')) returning id into prepared;
  perform public.make_site_role(prepared);
  return true;
end $$;
