-- Uses a refresh token: returns true if p_used is the current token of its family, and makes p_next the
-- current one. A token that was used before revokes its family, and the function returns false; an error
-- would undo the revocation. False also for a caller who may not sign in. Called by src/access.
create or replace function public.rotate_refresh(
  p_family uuid, p_caller public.caller, p_used uuid, p_next uuid, p_expires_at timestamptz
) returns boolean
language plpgsql as $$
begin
  begin
    perform public.find_caller(p_caller);
  exception when sqlstate 'TS401' then
    return false;
  end;
  -- The first token of a family has the id of the family. Its use makes the row, unless the sign-in has.
  if p_used = p_family then
    insert into public.refresh_families (id, user_id, current, expires_at, generation, organization_id)
    values (p_family, p_caller.id, p_next, p_expires_at, p_caller.generation, p_caller.organization_id)
    on conflict do nothing;
    if found then
      return true;
    end if;
  end if;
  update public.refresh_families f
     set current = p_next, expires_at = p_expires_at, last_used_at = now()
   where f.id = p_family and f.user_id = p_caller.id and f.current = p_used and f.revoked_at is null;
  if found then
    return true;
  end if;
  update public.refresh_families f set revoked_at = now() where f.id = p_family and f.revoked_at is null;
  return false;
end $$;
