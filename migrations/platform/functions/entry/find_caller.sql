-- The account of a caller. Fails with TS401 where the account may not sign in, or has had its sign-ins ended since; where
-- the session was ended; and where no provider of the organization that the sign-in came from opens the account any more.
create or replace function public.find_caller(p_caller public.caller) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u
   where u.id = p_caller.id and u.is_active and u.generation = p_caller.generation
     and (p_caller.session is null
          or not exists (select from public.refresh_families f where f.id = p_caller.session and f.revoked_at is not null))
     and (p_caller.organization_id is null or public.opens(p_caller.organization_id, u.id));
  if not found then
    raise sqlstate 'TS401' using message = 'the caller may not sign in';
  end if;
  perform public.note_caller(p_caller);
  return account;
end $$;
