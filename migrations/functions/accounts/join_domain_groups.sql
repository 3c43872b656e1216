-- Gives an account whose e-mail address was just proved what a site has for the domain of the address: roles
-- in the site, and groups of the organization, of which the account then becomes a member. Creates groups
-- that do not exist. Called by
-- public.finish_sign_up and public.join_site.
create or replace function public.join_domain_groups(p_site public.sites, p_account public.users)
returns void
language plpgsql as $$
declare
  domain constant text := lower(split_part(p_account.email, '@', 2));
  names constant text[] := array(
    select r.rule ->> 'group' from jsonb_array_elements(p_site.domain_groups) r (rule)
     where r.rule ->> 'domain' = domain and r.rule ? 'group');
begin
  perform public.give_roles(p_site.id, p_account.id, array(
    select r.rule ->> 'role' from jsonb_array_elements(p_site.domain_groups) r (rule)
     where r.rule ->> 'domain' = domain and r.rule ? 'role'));
  if cardinality(names) = 0 then
    return;
  end if;
  insert into public.memberships (organization_id, user_id, role, joined_by)
  values (p_site.organization_id, p_account.id, 'member', 'sign_up')
  on conflict do nothing;
  insert into public.groups (organization_id, name)
  select p_site.organization_id, n from unnest(names) n
  on conflict do nothing;
  insert into public.group_members (group_id, user_id)
  select g.id, p_account.id from public.groups g
   where g.organization_id = p_site.organization_id
     and lower(g.name) in (select lower(n) from unnest(names) n)
  on conflict do nothing;
end $$;
