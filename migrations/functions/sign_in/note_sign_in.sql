-- Records a sign-in, for the list that its owner sees. If a use or the end of the sign-in was recorded
-- before, adds only the data that is missing. p_read_at: when the account was read for the sign-in, by the
-- clock of this database; null: not known. If its owner has ended all other sign-ins since then, this one has
-- ended, too. Called by src/kernel/access.
create or replace function public.note_sign_in(
  p_sign_in public.sign_in, p_read_at timestamptz default null
) returns void
language sql as $$
  insert into public.refresh_families as f
    (id, user_id, current, expires_at, is_session, generation, organization_id, host, by_password, device,
     country, revoked_at)
  select p_sign_in.id, u.id, p_sign_in.id, p_sign_in.expires_at, p_sign_in.is_session, p_sign_in.generation,
         p_sign_in.organization_id, p_sign_in.host, p_sign_in.by_password, p_sign_in.device,
         p_sign_in.country,
         case when public.ended_with_others(u, p_sign_in.id, p_sign_in.organization_id, p_read_at)
              then now() end
    -- A concurrent request that ends sign-ins has either changed this row, or waits until this sign-in is
    -- stored.
    from (select x.* from public.users x where x.id = p_sign_in.user_id for share) u
  on conflict (id) do update
     set device = excluded.device, country = excluded.country, is_session = excluded.is_session,
         revoked_at = coalesce(f.revoked_at, excluded.revoked_at)
   where f.user_id = excluded.user_id
$$;
