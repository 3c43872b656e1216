-- Ends all sign-ins of a caller except the one of the request. A sign-in through a provider of an
-- organization ends only those through the organization's providers. S7. The account stores the time, for
-- sign-ins that are recorded later (public.note_sign_in). Called by src/identity/accounts.
create or replace function public.end_other_sign_ins(p_caller public.caller) returns void
language plpgsql as $$
begin
  update public.users u
     set sign_ins_ended = case when p_caller.organization_id is null then '{}' else u.sign_ins_ended end
           || jsonb_build_object(coalesce(p_caller.organization_id::text, 'all'), clock_timestamp(),
                                 'by', p_caller.session)
   where u.id = p_caller.id;
  update public.refresh_families f set revoked_at = now()
   where f.user_id = p_caller.id and f.revoked_at is null and f.id is distinct from p_caller.session
     and (p_caller.organization_id is null or f.organization_id = p_caller.organization_id);
end $$;
