-- Sets the claims that tessera.claims returns until the end of the transaction: p_claims (public.claims_of)
-- with the number of the site as `site`. Called by public.enter_as_guest, public.enter_viewing and
-- public.explain_as.
create or replace function public.note_claims(p_site_id bigint, p_claims jsonb) returns void
language plpgsql as $$
declare
  claims constant text := p_claims || jsonb_build_object('site', p_site_id);
begin
  perform set_config('tessera.claims', public.sign_claims(claims) || claims, true);
end $$;
