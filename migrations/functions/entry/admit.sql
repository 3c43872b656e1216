-- Does for a caller who enters a site what few requests need: checks a sign-in by an organization's provider
-- (public.find_caller); if p_needs_factor, requires a second factor; and notes the first use of a site
-- (p_used: its id; null: it was used before), which ties the person to its organization (public.note_guest).
-- T11. Refuses: TS401 the caller may not sign in; TS434 the account has no second factor. Called by
-- public.enter.
create or replace function public.admit(p_caller public.caller, p_needs_factor boolean, p_used bigint)
returns void
language plpgsql as $$
begin
  if p_caller.organization_id is not null then
    perform public.find_caller(p_caller);
  end if;
  if p_needs_factor then
    perform public.require_factor(p_caller.id);
  end if;
  if p_used is not null then
    perform public.note_guest(p_used, p_caller.id, p_caller.organization_id);
  end if;
end $$;
