-- Events of accounts, which belong to the platform, for functions, which belong to sites.

-- The sites whose functions hear of an account: the one that the request names, if it is a site of one of the account's
-- organizations; else all sites of these. Of an account that is in no organization, the one that the request names.
create function public.hearing_sites(p_host text, p_slug text, p_organizations bigint[]) returns table (id bigint, namespace text) stable
language sql as $$
  with here as (
    select s.id from public.sites s
     where s.slug = public.site_at(p_host, p_slug) and (p_organizations = '{}' or s.organization_id = any (p_organizations))
  ), hearing as (
    select here.id from here
    union all
    select s.id from public.sites s where s.is_active and s.organization_id = any (p_organizations) and not exists (select from here)
  )
  -- One whose schema is yet to be migrated has no functions.
  select hearing.id, 'site_' || hearing.id from hearing where to_regclass('site_' || hearing.id || '._invocations') is not null order by hearing.id
$$;
--> statement-breakpoint

-- The functions that run before something is done to an account: each with the ids that its invocation, and what brings it about, are to have.
create function public.account_listeners(p_event text, p_host text, p_slug text, p_organizations bigint[])
returns table (site_id bigint, invocation_id bigint, delivery_id bigint, runnable json)
language plpgsql as $$
declare
  site record;
begin
  for site in select * from public.hearing_sites(p_host, p_slug, p_organizations) loop
    return query execute format($q$
      select %2$L::bigint, nextval('%1$I._invocations_id_seq'), nextval('%1$I._deliveries_id_seq'), (to_jsonb(f) || jsonb_build_object('app', a.slug))::json
        from %1$I._subscribers x join %1$I._functions f on f.id = x.function_id join %1$I._apps a on a.id = f.app_id
       where x.event = $1 and f.is_active and a.is_active order by f.id $q$, site.namespace, site.id) using p_event;
  end loop;
end $$;
--> statement-breakpoint

-- What clients see of an account.
create function public.account_json(p_account public.users) returns json stable
language sql as $$
  select json_build_object(
    'id', p_account.id, 'uuid', p_account.uuid, 'username', p_account.username, 'email', p_account.email,
    'first_name', p_account.first_name, 'last_name', p_account.last_name,
    'full_name', trim(p_account.first_name || ' ' || p_account.last_name),
    'is_active', p_account.is_active, 'is_superuser', p_account.is_superuser,
    'date_joined', replace(to_json(p_account.date_joined at time zone 'UTC') #>> '{}' || 'Z', '+00:00', ''),
    'last_login', replace(to_json(p_account.last_login at time zone 'UTC') #>> '{}' || 'Z', '+00:00', ''))
$$;
--> statement-breakpoint

-- Puts what was done to an account into the outboxes of the sites that hear of it. To be called in the transaction that does it.
create function public.announce_account(p_event text, p_host text, p_slug text, p_caller bigint, p_account public.users) returns void
language plpgsql as $$
declare
  organizations bigint[] := array(select m.organization_id from public.memberships m where m.user_id = p_account.id);
  site record;
begin
  for site in select * from public.hearing_sites(p_host, p_slug, organizations) loop
    execute format($q$
      with f as (
        select f.id, f.name, f.slug from %1$I._subscribers x join %1$I._functions f on f.id = x.function_id join %1$I._apps a on a.id = f.app_id
         where x.event = $1 and f.is_active and a.is_active
      ), d as (
        insert into %1$I._deliveries (event, functions, user_id, due_at)
        select $1, array_agg(f.id), $2, now() + interval '15 seconds' from f having count(*) > 0 returning id
      )
      insert into %1$I._invocations (delivery_id, event_id, function_id, function_name, function_slug, trigger_type, event, status, params, user_id, due_at)
      select d.id, d.id, f.id, f.name, f.slug, 'event', $1, 'PENDING', $3, $2, now() from d, f order by f.id $q$, site.namespace)
      using p_event, p_caller, public.account_json(p_account);
  end loop;
end $$;
--> statement-breakpoint
revoke execute on function public.hearing_sites, public.account_listeners, public.account_json, public.announce_account from public;
