-- Notes in the audit of a site that a caller reads what others may not: as another person, or the records of
-- all sites of the organization. The columns of the entry are those of public.audit_entries. Called by
-- public.enter_viewing and public.run_in_part.
create or replace function public.note_read(
  p_caller public.caller, p_site_id bigint, p_kind text, p_object_id text, p_object text
) returns void
language sql as $$
  insert into public.audit_entries
    (organization_id, site_id, actor_id, actor, request_id, client_request_id, address,
     kind, action, object_id, object, changed)
  select s.organization_id, s.id, p_caller.id,
         (select u.username from public.users u where u.id = p_caller.id),
         p_caller.request_id, p_caller.client_request_id, p_caller.address,
         p_kind, 'create', p_object_id, p_object, '{}'
    from public.sites s where s.id = p_site_id
$$;
