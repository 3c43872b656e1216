-- Uses a refresh token: true if it was the family's current one, and p_next is that from now on. A token that was used
-- before revokes its family. Nothing is raised, as that would take the revocation back.
create or replace function public.rotate_refresh(p_family uuid, p_caller public.caller, p_used uuid, p_next uuid, p_expires_at timestamptz)
returns boolean language plpgsql as $$
begin
  begin
    perform public.find_caller(p_caller);
  exception when sqlstate 'TS401' then
    return false;
  end;
  -- The first token of a family has the family's id, and its use makes the row.
  if p_used = p_family then
    insert into public.refresh_families (id, user_id, current, expires_at) values (p_family, p_caller.id, p_next, p_expires_at)
    on conflict do nothing;
    if found then
      return true;
    end if;
  end if;
  update public.refresh_families f set current = p_next, expires_at = p_expires_at
   where f.id = p_family and f.user_id = p_caller.id and f.current = p_used and f.revoked_at is null;
  if found then
    return true;
  end if;
  update public.refresh_families f set revoked_at = now() where f.id = p_family and f.revoked_at is null;
  return false;
end $$;
