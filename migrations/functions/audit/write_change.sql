-- Writes a change of a row to the audit, with the arguments of the trigger that calls it. p_before and
-- p_after are the row as JSON; null if the row did not exist before, or does not exist afterwards. Called by
-- public.note_change.
create or replace function public.write_change(
  p_operation text, p_table text, p_before jsonb, p_after jsonb, p_arguments text[]
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  present constant jsonb := coalesce(p_after, p_before);
  shown_columns constant text[] := string_to_array(p_arguments[3], ',');
  ignored_columns constant text[] := string_to_array(p_arguments[4], ',');
  actor constant bigint := nullif(current_setting('tessera.caller', true), '')::bigint;
  owner constant bigint := (present ->> 'user_id')::bigint;
  changed_columns text[];
  site bigint := (present ->> 'site_id')::bigint;
  organizations bigint[];
begin
  changed_columns := array(
    select k.name from jsonb_object_keys(present) k (name)
     where k.name <> all (ignored_columns || 'is_gone'::text)
       and p_before -> k.name is distinct from p_after -> k.name
       -- A sign-in may hash the same password again, which does not change the generation.
       and not (p_table = 'users' and k.name = 'password_hash'
                and p_before -> 'generation' = p_after -> 'generation')
     order by k.name);
  if p_operation = 'UPDATE' and changed_columns = '{}' then
    return;
  end if;
  -- public.erase_rows deletes the rows of the schema `tenant`, which nobody has deleted one by one.
  if p_operation = 'DELETE' and starts_with(p_table, '_')
     and exists (select from public.sites s where s.id = site and s.deletes_at <= now()) then
    return;
  end if;
  if p_table = 'sites' then
    site := (present ->> 'id')::bigint;
  end if;
  organizations := case
    when p_table = 'organizations' then array[(present ->> 'id')::bigint]
    when p_table in ('totp_secrets', 'passkeys')
      then array(select m.organization_id from public.memberships m where m.user_id = owner)
    when present ? 'organization_id' then array[(present ->> 'organization_id')::bigint]
    when site is not null then array(select s.organization_id from public.sites s where s.id = site)
    when p_table = 'group_members'
      then array(select g.organization_id from public.groups g where g.id = (present ->> 'group_id')::bigint)
    when p_table = 'users'
      then array(select m.organization_id from public.memberships m
                  where m.user_id = (present ->> 'id')::bigint)
  end;
  insert into public.audit_entries
    (organization_id, site_id, actor_id, actor, request_id, client_request_id, address,
     kind, action, object_id, object, changed, values)
  select o.id, site, actor,
         case when k.known or actor is distinct from owner then
           coalesce(nullif(current_setting('tessera.actor', true), ''),
                    (select u.username from public.users u where u.id = actor)) end,
         nullif(current_setting('tessera.request', true), ''),
         nullif(current_setting('tessera.client_request', true), ''),
         case when k.known or actor is distinct from owner
              then nullif(current_setting('tessera.address', true), '') end,
         p_arguments[0],
         case p_operation when 'INSERT' then 'create' when 'UPDATE' then 'change' else 'delete' end,
         present ->> p_arguments[1],
         case when p_arguments[2] <> 'user_id' then present ->> p_arguments[2]
              when k.known then (select u.username from public.users u where u.id = owner) end,
         case when p_operation = 'UPDATE' then changed_columns else '{}' end,
         (select coalesce(jsonb_object_agg(c.name, jsonb_strip_nulls(
                            jsonb_build_object('from', p_before -> c.name, 'to', p_after -> c.name))), '{}')
            from unnest(shown_columns) c (name) where p_before -> c.name is distinct from p_after -> c.name)
    from unnest(case when organizations = '{}' then array[null::bigint] else organizations end) o (id),
         -- Any account can be given a permission, and its name may be its e-mail address.
         lateral (select p_table <> 'site_permissions' or public.knows_person(o.id, owner) as known) k;
end $$;
