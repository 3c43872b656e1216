-- Returns whether an organization may learn who an account belongs to: the account is a member, a provider
-- of the organization opens it, or its person has used one of the organization's sites. A permission or an
-- invitation is not enough, because anybody can give one to any account. Called by public.claims_of_person,
-- public.write_change, public.enter_viewing, public.announce_account, public.keep_roles and
-- public.people_of.
create or replace function public.knows_person(p_organization_id bigint, p_user_id bigint) returns boolean
stable
language sql as $$
  select exists (select from public.ties(p_user_id) t
                  where t.organization_id = p_organization_id and t.kind in ('member', 'link', 'guest'))
$$;
