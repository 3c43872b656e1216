-- Uses a refresh token: returns true if p_used is the current token of its family, and makes p_next the
-- current one. A token that was used before revokes its family; the function then returns false, because an
-- error would undo the revocation. Also returns false for a caller who may not sign in. Called by src/access.
create or replace function public.rotate_refresh(
  p_family uuid, p_caller public.caller, p_used uuid, p_next uuid, p_expires_at timestamptz,
  p_issued_at timestamptz default null
) returns boolean
language plpgsql as $$
declare
  account public.users;
  revoked timestamptz;
begin
  begin
    perform public.find_caller(p_caller);
  exception when sqlstate 'TS401' then
    return false;
  end;
  -- The first token of a family has the id of the family. Its use inserts the row, unless the sign-in has
  -- done so.
  if p_used = p_family then
    select u.* into account from public.users u where u.id = p_caller.id for share;
    if public.ended_with_others(account, p_family, p_caller.organization_id,
                                p_issued_at - interval '30 seconds') then
      revoked := now();
    end if;
    insert into public.refresh_families
      (id, user_id, current, expires_at, generation, organization_id, revoked_at)
    values (p_family, p_caller.id, p_next, p_expires_at, p_caller.generation, p_caller.organization_id,
            revoked)
    on conflict do nothing;
    if found then
      return revoked is null;
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
