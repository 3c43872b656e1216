-- Uses a refresh token: true when it was the family's current one, and p_next is that from now on. A token that was used
-- before revokes its family. Nothing is raised, as that would take the revocation back.
create or replace function public.rotate_refresh(
  p_family uuid, p_user bigint, p_used uuid, p_next uuid, p_issued_at timestamptz, p_expires_at timestamptz
) returns boolean language plpgsql as $$
begin
  perform from public.users u where u.id = p_user and u.is_active and u.tokens_valid_after <= p_issued_at;
  if not found then
    return false;
  end if;
  -- The first token of a family has the family's id, and its use makes the row.
  if p_used = p_family then
    insert into public.refresh_families (id, user_id, current, expires_at) values (p_family, p_user, p_next, p_expires_at)
    on conflict do nothing;
    if found then
      return true;
    end if;
  end if;
  update public.refresh_families f set current = p_next, expires_at = p_expires_at
   where f.id = p_family and f.user_id = p_user and f.current = p_used and f.revoked_at is null;
  if found then
    return true;
  end if;
  update public.refresh_families f set revoked_at = now() where f.id = p_family and f.revoked_at is null;
  return false;
end $$;
