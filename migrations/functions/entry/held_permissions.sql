-- Returns the permissions that an account holds in a site: all of them, if it is a superuser's, is an owner
-- or admin of the site's organization, or was given `admin_site`; otherwise those that it was given. Whoever
-- signed in at one organization (p_signed_in_at) holds nothing in the sites of another. T5, S7.
--
-- The one place of this rule: every door asks it with the columns of its own statement, and Postgres puts it
-- into that statement. What is not known may be null, and gives nothing. It does not check that the site
-- answers, that the account may sign in, or that it has a required second factor. The list is that of
-- src/kernel/permissions.ts, which a test compares. Called by public.claims_of, public.enter,
-- public.enter_site, public.enter_transfer, public.explain_as, public.gives_roles, public.holds,
-- public.introduce, public.judge_use, public.managed_by, public.still_invites and src/identity/organizations.
create or replace function public.held_permissions(
  p_signed_in_at bigint, p_organization_id bigint, p_is_superuser boolean, p_role text, p_permissions text[]
) returns text[] immutable parallel safe
language sql return case
  when p_signed_in_at is not null and p_signed_in_at is distinct from p_organization_id then '{}'
  when p_is_superuser or p_role in ('owner', 'admin') or 'admin_site' = any (p_permissions)
    then array['access_site', 'view_site', 'change_site', 'delete_site',
               'manage_site', 'manage_site_users', 'admin_site']
  else coalesce(p_permissions, '{}')
end;
