-- Stores the data of an organization's directory about an account. p_said has a member for each attribute
-- that the directory sets, and null for an attribute that it removes; other attributes do not change. Called
-- by public.create_scim_user and public.change_scim_user.
create or replace function public.note_scim_user(p_organization_id bigint, p_user_id bigint, p_said jsonb)
returns void
language sql as $$
  insert into public.scim_users as x (organization_id, user_id, user_name)
  select p_organization_id, s.id, s.user_name from public.scim_accounts(p_organization_id) s
   where s.id = p_user_id and not p_said ? 'user_name'
  union all
  select p_organization_id, p_user_id, p_said ->> 'user_name' where p_said ? 'user_name'
  on conflict do nothing;
  update public.scim_users x
     set user_name = coalesce(p_said ->> 'user_name', x.user_name),
         external_id = case when p_said ? 'external_id' then p_said ->> 'external_id' else x.external_id end,
         given_name = case when p_said ? 'given_name' then coalesce(p_said ->> 'given_name', '')
                           else x.given_name end,
         family_name = case when p_said ? 'family_name' then coalesce(p_said ->> 'family_name', '')
                            else x.family_name end,
         display_name = case when p_said ? 'display_name' then p_said ->> 'display_name'
                             else x.display_name end,
         preferred_language = case when p_said ? 'preferred_language' then p_said ->> 'preferred_language'
                                   else x.preferred_language end,
         email = coalesce(p_said ->> 'email', x.email), modified = now()
   where x.organization_id = p_organization_id and x.user_id = p_user_id
$$;
