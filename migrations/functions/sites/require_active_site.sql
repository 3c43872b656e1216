-- Refuses (TS410) work for a site that is suspended or deleted, or does not exist. Called by
-- src/runtime/outbox.
create or replace function public.require_active_site(p_site_id bigint) returns void stable
language plpgsql as $$
begin
  perform from public.sites s where s.id = p_site_id and s.is_active;
  if not found then
    raise sqlstate 'TS410' using message = 'the site is not active';
  end if;
end $$;
