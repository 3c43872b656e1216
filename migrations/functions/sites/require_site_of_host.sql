-- Refuses (TS421) a request whose host is a verified domain of a site other than the one in its path
-- (p_slug). Called by src/kernel/db.
create or replace function public.require_site_of_host(p_host text, p_slug text) returns void stable
language plpgsql as $$
begin
  perform from public.site_domains d join public.sites s on s.id = d.site_id
    where d.domain = p_host and d.verified_at is not null and s.slug <> p_slug;
  if found then
    raise sqlstate 'TS421' using message = 'the host is a domain of another site';
  end if;
end $$;
