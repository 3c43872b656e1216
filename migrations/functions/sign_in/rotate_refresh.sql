-- Uses a refresh token. If p_used is the current token of its family, p_next becomes the current one, and is
-- returned with its expiry. A client may send the same token several times at once, or lose the answer: so a
-- token that was used in the last 10 seconds gets the same successor again, as long as nobody has used that.
-- A9. Every other token that was used before revokes its family; the function then returns null, because an
-- error would undo the revocation. Also returns null for a caller who may not sign in. Called by
-- src/kernel/access.
create or replace function public.rotate_refresh(
  p_family uuid, p_caller public.caller, p_used uuid, p_next uuid, p_expires_at timestamptz,
  p_issued_at timestamptz, out token uuid, out expires_at timestamptz
) language plpgsql as $$
declare
  account public.users;
  revoked timestamptz;
begin
  begin
    perform public.find_caller(p_caller);
  exception when sqlstate 'TS401' then
    return;
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
      (id, user_id, current, previous, rotated_at, expires_at, generation, organization_id, host, by_password,
       revoked_at)
    values (p_family, p_caller.id, p_next, p_used, now(), p_expires_at, p_caller.generation,
            p_caller.organization_id, p_caller.host, p_caller.by_password, revoked)
    on conflict do nothing;
    if found then
      if revoked is null then
        token := p_next;
        expires_at := p_expires_at;
      end if;
      return;
    end if;
  end if;
  update public.refresh_families f
     set current = p_next, previous = p_used, rotated_at = now(), expires_at = p_expires_at,
         last_used_at = now()
   where f.id = p_family and f.user_id = p_caller.id and f.current = p_used and f.revoked_at is null
  returning f.current, f.expires_at into token, expires_at;
  if not found then
    select f.current, f.expires_at into token, expires_at from public.refresh_families f
     where f.id = p_family and f.user_id = p_caller.id and f.previous = p_used and f.revoked_at is null
       and f.rotated_at > now() - interval '10 seconds';
  end if;
  if not found then
    update public.refresh_families f set revoked_at = now() where f.id = p_family and f.revoked_at is null;
  end if;
end $$;
