-- Writes the audit: a trigger of every table whose changes are to be found there. Arguments:
--   0  the kind of what is changed
--   1  the column that identifies it
--   2  the column that it is known by; '' for none
--   3  columns whose values may be shown, separated by commas
--   4  columns whose changes are not worth noting, separated by commas
-- The organization and the site are those of the row, or of the schema that the table stands in. A change of an account is
-- noted for each organization that it is a member of. No other value of a row is ever kept.
create or replace function public.note_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  present constant jsonb := coalesce(after, before);
  shown constant text[] := string_to_array(tg_argv[3], ',');
  unnoted constant text[] := string_to_array(tg_argv[4], ',');
  actor constant bigint := nullif(current_setting('tessera.caller', true), '')::bigint;
  changed text[];
  site bigint := (present ->> 'site_id')::bigint;
  organizations bigint[];
begin
  changed := array(
    select k.name from jsonb_object_keys(present) k (name)
     where k.name <> all (unnoted) and before -> k.name is distinct from after -> k.name
       -- A password that is hashed anew when it is shown is the same one still.
       and not (tg_table_name = 'users' and k.name = 'password_hash' and before -> 'generation' = after -> 'generation')
     order by k.name);
  if tg_op = 'UPDATE' and changed = '{}' then
    return null;
  end if;
  if tg_table_schema like 'site\_%' then
    site := substr(tg_table_schema, length('site_') + 1)::bigint;
  elsif tg_table_name = 'sites' then
    site := (present ->> 'id')::bigint;
  end if;
  organizations := case
    when tg_table_name = 'organizations' then array[(present ->> 'id')::bigint]
    when present ? 'organization_id' then array[(present ->> 'organization_id')::bigint]
    when site is not null then array(select s.organization_id from public.sites s where s.id = site)
    when tg_table_name = 'group_members' then array(select g.organization_id from public.groups g where g.id = (present ->> 'group_id')::bigint)
    when tg_table_name = 'users' then array(select m.organization_id from public.memberships m where m.user_id = (present ->> 'id')::bigint)
  end;
  insert into public.audit_entries (organization_id, site_id, actor_id, actor, request_id, address, kind, action, object_id, object, changed, values)
  select o.id, site, actor, (select u.username from public.users u where u.id = actor),
         nullif(current_setting('tessera.request', true), ''), nullif(current_setting('tessera.address', true), ''),
         tg_argv[0], case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'change' else 'delete' end,
         present ->> tg_argv[1],
         case when tg_argv[2] = 'user_id' then (select u.username from public.users u where u.id = (present ->> 'user_id')::bigint)
              else present ->> tg_argv[2] end,
         case when tg_op = 'UPDATE' then changed else '{}' end,
         (select coalesce(jsonb_object_agg(c.name, jsonb_strip_nulls(jsonb_build_object('from', before -> c.name, 'to', after -> c.name))), '{}')
            from unnest(shown) c (name) where before -> c.name is distinct from after -> c.name)
    from unnest(case when organizations = '{}' then array[null::bigint] else organizations end) o (id);
  return null;
end $$;
