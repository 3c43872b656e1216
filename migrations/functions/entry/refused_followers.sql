-- Returns which of these callers may not enter the site of a request (any more), as public.enter does with
-- access_site, or, with a standing, as public.enter_as_guest does: the position of each in the array, from 0,
-- and the SQLSTATE. p_site_id: the site that it must be. Called by src/operation/live.
create or replace function public.refused_followers(
  p_host text, p_slug text, p_site_id bigint, p_standing text, p_callers public.caller[]
) returns table (place integer, state text)
language plpgsql as $$
declare
  terms constant public.visit := row(p_site_id, null, 'read', 5000);
begin
  for n in 1 .. cardinality(p_callers) loop
    begin
      if p_standing is null then
        perform public.enter(p_host, p_slug, p_callers[n], 'access_site', terms);
      else
        perform public.enter_as_guest(p_host, p_slug, p_callers[n], p_standing, true, terms);
      end if;
    exception when others then
      if sqlstate not like 'TS4%' then
        raise;
      end if;
      place := n - 1;
      state := sqlstate;
      return next;
    end;
  end loop;
end $$;
