-- Notes the caller of a request that writes to a site, for the audit, for events and for versions of records
-- (public.note_caller), and the user name. A sign-in by the provider of another organization is nobody.
-- Called by public.enter.
create or replace function public.note_visitor(
  p_caller public.caller, p_organization_id bigint, p_username text
) returns void
language plpgsql as $$
begin
  if p_caller.organization_id <> p_organization_id then
    p_caller.id := null;
    p_username := null;
  end if;
  perform public.note_caller(p_caller), set_config('tessera.username', coalesce(p_username, ''), true);
end $$;
