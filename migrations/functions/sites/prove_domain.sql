-- Verifies a domain of a site. proven: false if the site no longer has the domain with this token. With
-- p_takes_over, the domain becomes pending for another site that has it verified (lost_by), with a new token,
-- so that an old DNS record does not take the domain back. Refuses (23505), without p_takes_over, a domain
-- that another site has verified. Called by src/identity/organizations.
create or replace function public.prove_domain(
  p_site_id bigint, p_domain text, p_token text, p_takes_over boolean, out proven boolean, out lost_by bigint
)
language plpgsql as $$
begin
  -- Of two concurrent proofs, the second waits for the first.
  perform from public.site_domains d where d.domain = p_domain order by d.site_id for update;
  perform from public.site_domains d
    where d.domain = p_domain and d.site_id = p_site_id and d.token = p_token;
  proven := found;
  if not proven then
    return;
  end if;
  if p_takes_over then
    update public.site_domains d
       set verified_at = null, token = default, token_created = now(), checked_at = '-infinity', failures = 0
     where d.domain = p_domain and d.site_id <> p_site_id and d.verified_at is not null
    returning d.site_id into lost_by;
  end if;
  update public.site_domains d
     set verified_at = coalesce(d.verified_at, now()), checked_at = now(), failures = 0
   where d.domain = p_domain and d.site_id = p_site_id;
end $$;
