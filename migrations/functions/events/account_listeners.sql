-- Returns the functions that run before an account is changed: each with its site, and with the ids that its
-- invocation and its delivery will have. paused: the site does not run it, so that the change is refused.
-- p_event: the event, for example 'PRE_USER_CREATE'. p_host and p_slug: the host and the slug by which the
-- request names its site. p_organizations: those that the account is, or will be, a member of.
-- Called by src/runtime/events, public.invite and public.create_scim_user.
create or replace function public.account_listeners(
  p_event text, p_host text, p_slug text, p_organizations bigint[]
) returns table (
  site_id bigint, site_slug text, paused boolean, invocation_id bigint, delivery_id bigint, runnable json
)
language sql as $$
  select l.id, l.slug, l.paused,
         nextval('tenant._invocations_id_seq'), nextval('tenant._deliveries_id_seq'), l.runnable
    from (
      select h.id, h.slug, h.paused,
             (to_jsonb(f) || jsonb_build_object(
               'app', a.slug, 'as', f.runs_as, 'own_mail', exists (
                 select from tenant._secrets s
                  where s.site_id = h.id and s.key = 'MAIL'
                    and (s.app_id is null or s.app_id = a.id))))::json as runnable
        from public.hearing_sites(p_host, p_slug, p_organizations) h
        join tenant._subscribers x on x.site_id = h.id and x.event = p_event
        join tenant._functions f on f.site_id = h.id and f.id = x.function_id and f.is_active
        join tenant._apps a on a.site_id = h.id and a.id = f.app_id and a.is_active
       order by h.id, f.id) l
$$;
