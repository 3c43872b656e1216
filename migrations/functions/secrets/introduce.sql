-- Returns the data that a request about secrets needs: the site that it names, the caller's name, whether the
-- caller may read secrets that are not public (may_read), whether the caller owns the organization or is a
-- superuser (owns), the data keys of the site, and the proofs of the master keys if the site has no data key.
-- Sets the name and may_read for the statements that follow. It does not check that the caller may sign in:
-- public.enter does next. Called by src/secrets.
create or replace function public.introduce(
  p_host text, p_slug text, p_caller public.caller,
  out site_id bigint, out site_slug text, out username text, out may_read boolean, out owns boolean,
  out data_keys json, out proofs json
) language plpgsql as $$
declare
  organization bigint;
begin
  select s.id, s.slug, s.organization_id into introduce.site_id, introduce.site_slug, organization
    from public.sites s where s.slug = public.site_at(p_host, p_slug);
  select u.username,
         (u.is_superuser or m.role = 'owner') and coalesce(p_caller.organization_id = organization, true),
         'access_site' = any (public.held_permissions(
           p_caller.organization_id, organization, u.is_superuser, m.role, p.permissions))
    into introduce.username, introduce.owns, introduce.may_read
    from public.users u
    left join public.memberships m on m.user_id = u.id and m.organization_id = organization
    left join public.site_permissions p on p.user_id = u.id and p.site_id = introduce.site_id
   where u.id = p_caller.id;
  may_read := coalesce(may_read, false);
  owns := coalesce(owns, false);
  select coalesce(json_agg(json_build_object(
           'version', d.version, 'masterKid', d.master_kid, 'wrapped', d.wrapped) order by d.version), '[]')
    into introduce.data_keys from public.data_keys d where d.site_id = introduce.site_id;
  -- The first data key of a site is encrypted with a master key. The proof shows that it is the same master
  -- key that other sites have used under this name.
  if data_keys::text = '[]' then
    select coalesce(json_object_agg(k.kid, k.proof), '{}') into introduce.proofs from public.master_keys k;
  end if;
  perform set_config('tessera.username', coalesce(username, ''), true),
          set_config('tessera.may_read', may_read::text, true);
end $$;
