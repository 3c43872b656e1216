-- Puts an event about an account into the outboxes of the sites that receive it (public.hearing_sites), in
-- the transaction that changes the account. Anybody may request a link for any address at their own site,
-- so a site hears of changes of an account without organizations only if its organization knows the person
-- (public.knows_person). p_event: for example 'POST_USER_CREATE'. p_host and p_slug: the host and the slug
-- by which the request names its site. p_phase: how the account was created, or 'accepted', or 'joined', of
-- which only the joined site hears; null: another change. The organization that invites a new account hears
-- of it before the account is a member. Called by src/runtime/events, public.invite,
-- public.delete_planned_accounts, public.release_address, public.change_scim_account,
-- public.create_scim_user and public.delete_scim_user.
create or replace function public.announce_account(
  p_event text, p_host text, p_slug text, p_caller_id bigint, p_account public.users,
  p_phase text default null
) returns void
language plpgsql as $$
declare
  organizations constant bigint[] := array(
    select m.organization_id from public.memberships m
     where m.user_id = p_account.id and p_phase is distinct from 'joined'
    union select i.organization_id from public.invitations i
           where p_phase = 'invited' and i.invitee = p_account.id and public.is_pending(i));
  params constant json := public.account_json(p_account)::jsonb
    || case when p_phase is null then '{}' else jsonb_build_object('phase', p_phase) end;
begin
  with f as (
    select f.site_id, f.id, f.name, f.slug,
           case when f.ordering = 'record' then md5('account ' || p_account.id) end as order_key
      from public.hearing_sites(p_host, p_slug, organizations) h
      join tenant._subscribers x on x.site_id = h.id and x.event = p_event
      join tenant._functions f on f.site_id = h.id and f.id = x.function_id and f.is_active
      join tenant._apps a on a.site_id = h.id and a.id = f.app_id and a.is_active
     where organizations <> '{}' or p_event = 'POST_USER_CREATE'
        or public.knows_person(h.organization_id, p_account.id)
  ), d as (
    insert into tenant._deliveries (site_id, event, functions, user_id, due_at)
    select f.site_id, p_event, array_agg(f.id), p_caller_id, now() + interval '15 seconds'
      from f group by f.site_id
    returning site_id, id
  )
  insert into tenant._invocations
    (site_id, delivery_id, event_id, function_id, function_name, function_slug,
     trigger_type, event, status, params, user_id, order_key, due_at)
  select f.site_id, d.id, d.id, f.id, f.name, f.slug, 'event', p_event, 'PENDING', params, p_caller_id,
         f.order_key, now()
    from d join f on f.site_id = d.site_id order by f.site_id, f.id;
end $$;
