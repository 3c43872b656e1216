-- Puts an event about an account into the outboxes of the sites that receive it (public.hearing_sites), in
-- the transaction that changes the account. Anybody may request a link for any address at their own site, so
-- a site hears of changes of an account without organizations only if its organization knows the person
-- (public.knows_person). p_event: for example 'POST_USER_CREATE'. p_host and p_slug: the host and the slug
-- by which the request names its site. Called by src/events, public.delete_planned_accounts,
-- public.change_scim_account, public.create_scim_user and public.delete_scim_user.
create or replace function public.announce_account(
  p_event text, p_host text, p_slug text, p_caller_id bigint, p_account public.users
) returns void
language plpgsql as $$
declare
  organizations constant bigint[] := array(
    select m.organization_id from public.memberships m where m.user_id = p_account.id);
  site record;
begin
  for site in
    select h.* from public.hearing_sites(p_host, p_slug, organizations) h
     where organizations <> '{}' or p_event = 'POST_USER_CREATE'
        or public.knows_person((select s.organization_id from public.sites s where s.id = h.id), p_account.id)
  loop
    execute format($q$
      with f as (
        select f.id, f.name, f.slug,
               case when f.ordering = 'record' then md5('account ' || $4) end as order_key
          from %1$I._subscribers x
          join %1$I._functions f on f.id = x.function_id
          join %1$I._apps a on a.id = f.app_id
         where x.event = $1 and f.is_active and a.is_active
      ), d as (
        insert into %1$I._deliveries (event, functions, user_id, due_at)
        select $1, array_agg(f.id), $2, now() + interval '15 seconds' from f having count(*) > 0
        returning id
      )
      insert into %1$I._invocations
        (delivery_id, event_id, function_id, function_name, function_slug,
         trigger_type, event, status, params, user_id, order_key, due_at)
      select d.id, d.id, f.id, f.name, f.slug, 'event', $1, 'PENDING', $3, $2, f.order_key, now()
        from d, f order by f.id $q$, site.namespace)
      using p_event, p_caller_id, public.account_json(p_account), p_account.id;
  end loop;
end $$;
