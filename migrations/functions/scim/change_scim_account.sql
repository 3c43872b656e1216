-- Changes an account to the data of its organization's directory (p_said: see public.note_scim_user), and
-- announces the change. An address that another account has is ignored, and the account keeps its address:
-- the directory must not learn of the other account. Called by public.change_scim_user.
create or replace function public.change_scim_account(
  p_request public.scim_request, p_account public.users, p_said jsonb
) returns public.users
language plpgsql as $$
declare
  new_email text := coalesce(p_said ->> 'email', p_account.email);
  changed public.users;
begin
  if new_email <> p_account.email then
    if lower(new_email) <> lower(p_account.email) then
      perform public.release_address(new_email);
    end if;
    if exists (select from public.users u
                where u.id <> p_account.id
                  and (lower(u.email) = lower(new_email) or lower(u.username) = lower(new_email))) then
      new_email := p_account.email;
    end if;
  end if;
  perform public.drop_proven(p_account.id, new_email);
  update public.users u
     set email = new_email,
         username = case when strpos(u.username, '@') > 0 then new_email else u.username end,
         first_name = case when p_said ? 'given_name' then coalesce(p_said ->> 'given_name', '')
                           else u.first_name end,
         last_name = case when p_said ? 'family_name' then coalesce(p_said ->> 'family_name', '')
                          else u.last_name end,
         is_active = coalesce((p_said ->> 'is_active')::boolean, u.is_active)
   where u.id = p_account.id
  returning u.* into changed;
  if public.account_json(changed)::text <> public.account_json(p_account)::text then
    perform public.announce_account('POST_USER_UPDATE', p_request.host, p_request.slug, null, changed);
  end if;
  return changed;
end $$;
