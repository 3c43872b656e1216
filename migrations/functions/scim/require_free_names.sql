-- Refuses (TS441, with the attribute as the detail) a user name or an e-mail address that another account of
-- an organization's directory has. Accounts outside the directory do not count: it must not learn of them.
-- p_user_id: the account that gets the names; 0: a new account. Called by public.create_scim_user and
-- public.change_scim_user.
create or replace function public.require_free_names(
  p_organization_id bigint, p_user_id bigint, p_user_name text, p_email text
) returns void
language plpgsql as $$
declare
  attribute constant text := (
    select case when lower(s.user_name) = lower(p_user_name) then 'userName' else 'emails' end
      from public.scim_accounts(p_organization_id) s
     where s.id <> p_user_id
       and (lower(s.user_name) = lower(p_user_name) or lower(s.email) = lower(p_email))
     order by 1 desc limit 1);
begin
  if attribute is not null then
    raise sqlstate 'TS441' using message = 'another account has it', detail = attribute;
  end if;
end $$;
