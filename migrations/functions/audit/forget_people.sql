-- Removes the names and the network addresses of people from the audit, after their accounts were deleted as
-- they had asked. p_accounts: the accounts as they were before the deletion. The ids stay, so that the
-- entries of one person can still be told from those of others. Called by public.delete_planned_accounts.
create or replace function public.forget_people(p_accounts public.users[]) returns void
language plpgsql as $$
declare
  ids constant bigint[] := array(select a.id from unnest(p_accounts) a);
  id_texts constant text[] := ids::text[];
  usernames constant text[] := array(select a.username from unnest(p_accounts) a);
  emails constant text[] := array(select lower(a.email) from unnest(p_accounts) a);
begin
  perform set_config('tessera.forgets', 'on', true);
  update public.audit_entries e set actor = null, address = null where e.actor_id = any (ids);
  -- An entry without an actor may be from the person, who used the link of an e-mail: its address goes, too.
  update public.audit_entries e
     set object = null, address = case when e.actor is not null then e.address end
   where e.kind in ('user', 'membership', 'group_membership', 'permission', 'second_factor', 'scim_user',
                    'view_as') and e.object_id = any (id_texts)
      or e.kind in ('social_account', 'passkey') and e.object = any (usernames)
      or e.kind = 'invitation' and lower(e.object) = any (emails);
  perform set_config('tessera.forgets', '', true);
end $$;
