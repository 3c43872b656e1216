-- Returns the functions that run before an account is changed: each with its site, and with the ids that its
-- invocation and its delivery will have. p_event: the event, for example 'PRE_USER_CREATE'. p_host and
-- p_slug: the host and the slug by which the request names its site. p_organizations: those that the account
-- is, or will be, a member of. Called by src/events, public.invite and public.create_scim_user.
create or replace function public.account_listeners(
  p_event text, p_host text, p_slug text, p_organizations bigint[]
) returns table (site_id bigint, site_slug text, invocation_id bigint, delivery_id bigint, runnable json)
language plpgsql as $$
declare
  site record;
begin
  for site in select * from public.hearing_sites(p_host, p_slug, p_organizations) loop
    return query execute format($q$
      select %2$L::bigint, (select s.slug from public.sites s where s.id = %2$L),
             nextval('%1$I._invocations_id_seq'), nextval('%1$I._deliveries_id_seq'),
             (to_jsonb(f) || jsonb_build_object('app', a.slug, 'as', f.runs_as))::json
        from %1$I._subscribers x
        join %1$I._functions f on f.id = x.function_id
        join %1$I._apps a on a.id = f.app_id
       where x.event = $1 and f.is_active and a.is_active
       order by f.id $q$, site.namespace, site.id) using p_event;
  end loop;
end $$;
