-- Notes the caller of a request that writes to a site, for the audit, for events and for versions of records
-- (public.note_caller), the user name, and the version of the catalog that the writes were planned for, which
-- public.run_in_site compares after them. Schema changes lock the site instead. A sign-in by the provider of
-- another organization is nobody. p_followed: the uuid of the site, if somebody follows lists of it. Called
-- by public.enter.
create or replace function public.note_visitor(
  p_caller public.caller, p_organization_id bigint, p_username text, p_site_id bigint, p_visit public.visit,
  p_followed uuid
) returns void
language plpgsql as $$
begin
  if p_caller.organization_id <> p_organization_id then
    p_caller.id := null;
    p_username := null;
  end if;
  perform public.note_caller(p_caller), set_config('tessera.username', coalesce(p_username, ''), true),
          set_config('tessera.followed', p_followed::text, true),
          set_config('tessera.planned', case when p_visit.mode <> 'schema' then
            row(p_site_id, p_visit.catalog_version)::public.entered::text end, true);
end $$;
