-- Says, to the statements that follow and to the Worker, who asks (nobody, for p_caller null), whether they may read
-- what is not public in the site that the request names, and which keys its values are encrypted with. Whether the
-- caller may sign in at all, `enter` checks next.
create or replace function public.introduce(
  p_host text, p_slug text, p_caller public.caller,
  out site_id bigint, out site_slug text, out username text, out may_read boolean, out data_keys json, out proofs json
) language plpgsql as $$
declare
  organization bigint;
begin
  select s.id, s.slug, s.organization_id into introduce.site_id, introduce.site_slug, organization
    from public.sites s where s.slug = public.site_at(p_host, p_slug);
  select u.username, (p_caller.organization_id is null or p_caller.organization_id = organization) and (u.is_superuser
         or exists (select from public.memberships m where m.organization_id = organization and m.user_id = u.id and m.role in ('owner', 'admin'))
         or exists (select from public.site_permissions p
                     where p.site_id = introduce.site_id and p.user_id = u.id and p.permissions && array['access_site', 'admin_site']))
    into introduce.username, introduce.may_read
    from public.users u where u.id = p_caller.id;
  may_read := coalesce(may_read, false);
  select coalesce(json_agg(json_build_object('version', d.version, 'masterKid', d.master_kid, 'wrapped', d.wrapped) order by d.version), '[]')
    into introduce.data_keys from public.data_keys d where d.site_id = introduce.site_id;
  -- Who makes the first key of a site has to know that the master key is the one that others use by this name.
  if data_keys::text = '[]' then
    select coalesce(json_object_agg(k.kid, k.proof), '{}') into introduce.proofs from public.master_keys k;
  end if;
  perform set_config('tessera.username', coalesce(username, ''), true);
  perform set_config('tessera.may_read', may_read::text, true);
end $$;
