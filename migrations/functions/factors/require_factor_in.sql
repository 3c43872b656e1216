-- Refuses (TS434) an account without a second factor if the organization or its site p_site_id requires one;
-- null: if the organization does. Called by public.enter_managers, public.enter_organization,
-- public.enter_site, public.enter_transfer, public.set_organization_state and public.set_site_state.
create or replace function public.require_factor_in(
  p_organization_id bigint, p_site_id bigint, p_user_id bigint
) returns void
language plpgsql as $$
begin
  if exists (select from public.organizations o where o.id = p_organization_id and o.requires_factor)
     or exists (select from public.sites s where s.id = p_site_id and s.requires_factor) then
    perform public.require_factor(p_user_id);
  end if;
end $$;
