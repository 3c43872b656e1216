-- Returns the accounts that the directory of an organization sees: its members, and the accounts that the
-- directory has created and that are not members: those that are invited, and those whose membership has
-- ended. Of an account that is not a member, it sees only the data that it sent itself. is_active: for a
-- member, the account can sign in; otherwise, an invitation is pending. Called by public.scim_account,
-- public.require_free_names, src/identity/scim and public.note_scim_user.
create or replace function public.scim_accounts(p_organization_id bigint)
returns table (id bigint, user_name text, external_id text, given_name text, family_name text,
               display_name text, email text, preferred_language text, is_active boolean,
               is_member boolean, created timestamptz, modified timestamptz) stable
language sql as $$
  select u.id, coalesce(x.user_name, u.email), x.external_id,
         nullif(coalesce(x.given_name, u.first_name), ''), nullif(coalesce(x.family_name, u.last_name), ''),
         x.display_name, coalesce(x.email, u.email), x.preferred_language, u.is_active,
         true, coalesce(x.created, m.joined), coalesce(x.modified, m.joined)
    from public.memberships m
    join public.users u on u.id = m.user_id
    left join public.scim_users x on x.organization_id = m.organization_id and x.user_id = m.user_id
   where m.organization_id = p_organization_id
  union all
  select x.user_id, x.user_name, x.external_id, nullif(x.given_name, ''), nullif(x.family_name, ''),
         x.display_name, x.email, x.preferred_language,
         exists (select from public.invitations i
                  where i.organization_id = x.organization_id and i.invitee = x.user_id
                    and public.is_pending(i)),
         false, x.created, x.modified
    from public.scim_users x
   where x.organization_id = p_organization_id
     and not exists (select from public.memberships m
                      where m.organization_id = x.organization_id and m.user_id = x.user_id)
$$;
