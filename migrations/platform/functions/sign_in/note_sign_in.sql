-- Records a sign-in, for the list that its owner sees. If it was used or ended before this, only what is not
-- known yet is added. Called by src/access.
create or replace function public.note_sign_in(p_sign_in public.sign_in) returns void
language sql as $$
  insert into public.refresh_families as f
    (id, user_id, current, expires_at, is_session, generation, organization_id, device, country)
  select p_sign_in.id, u.id, p_sign_in.id, p_sign_in.expires_at, p_sign_in.is_session, p_sign_in.generation,
         p_sign_in.organization_id, p_sign_in.device, p_sign_in.country
    from public.users u where u.id = p_sign_in.user_id
  on conflict (id) do update
     set device = excluded.device, country = excluded.country, is_session = excluded.is_session
   where f.user_id = excluded.user_id
$$;
