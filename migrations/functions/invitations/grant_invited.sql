-- Gives an account the membership, the groups, and the permissions and roles in sites that an invitation
-- promises.
-- Creates groups that do not exist. Skips sites that do not belong to the organization, or are deleted.
-- Called by public.accept_invitation and public.settle_invitations.
create or replace function public.grant_invited(p_invitation public.invitations, p_user_id bigint)
returns void
language plpgsql as $$
declare
  organization constant bigint := p_invitation.organization_id;
begin
  insert into public.memberships (organization_id, user_id, role, joined_by)
  values (organization, p_user_id, 'member', 'invitation')
  on conflict do nothing;
  insert into public.groups (organization_id, name)
  select organization, g.name from jsonb_array_elements_text(p_invitation.config -> 'group') g (name)
  on conflict do nothing;
  insert into public.group_members (group_id, user_id)
  select g.id, p_user_id from public.groups g
   where g.organization_id = organization and lower(g.name) in (
     select lower(n.name) from jsonb_array_elements_text(p_invitation.config -> 'group') n (name))
  on conflict do nothing;
  insert into public.site_permissions as p (site_id, user_id, permissions)
  select s.id, p_user_id,
         array(select distinct x.name from jsonb_array_elements_text(c.site -> 'permissions') x (name)
                order by x.name)
    from jsonb_array_elements(p_invitation.config -> 'site') c (site)
    join public.sites s on s.slug = c.site ->> 'slug' and s.organization_id = organization
                       and s.deletes_at is null
  on conflict (site_id, user_id) do update
    set permissions = array(
      select distinct x.name from unnest(p.permissions || excluded.permissions) x (name) order by x.name);
  perform public.give_roles(
            s.id, p_user_id, array(select jsonb_array_elements_text(c.site -> 'roles')))
     from jsonb_array_elements(p_invitation.config -> 'site') c (site)
     join public.sites s on s.slug = c.site ->> 'slug' and s.organization_id = organization
                        and s.deletes_at is null
    where c.site ? 'roles';
end $$;
