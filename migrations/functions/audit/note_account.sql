-- Writes the deletion of an account to the audit, once for each organization that the account is a member of.
-- A trigger of users before the deletion, while the memberships still exist.
create or replace function public.note_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor constant bigint := nullif(current_setting('tessera.caller', true), '')::bigint;
begin
  insert into public.audit_entries
    (organization_id, actor_id, actor, request_id, client_request_id, address,
     kind, action, object_id, object, changed)
  select o.id, actor,
         coalesce(nullif(current_setting('tessera.actor', true), ''),
                  (select u.username from public.users u where u.id = actor)),
         nullif(current_setting('tessera.request', true), ''),
         nullif(current_setting('tessera.client_request', true), ''),
         nullif(current_setting('tessera.address', true), ''),
         'user', 'delete', old.id::text, old.username, '{}'
    from (select m.organization_id from public.memberships m where m.user_id = old.id
          union all
          select null where not exists (select from public.memberships m where m.user_id = old.id)) o (id);
  return old;
end $$;
