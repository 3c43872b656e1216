-- Erases up to p_most deleted organizations that can no longer be restored and have no sites. Returns their
-- slugs. Called by src/identity/organizations.
create or replace function public.erase_organizations(p_most integer) returns setof text
language plpgsql as $$
declare
  due bigint;
begin
  for due in
    select o.id from public.organizations o
     where o.deletes_at <= now() and not exists (select from public.sites s where s.organization_id = o.id)
     order by o.id limit p_most for update skip locked
  loop
    -- The audit of these rows needs the organization. All other rows are deleted with it.
    delete from public.invitations i where i.organization_id = due;
    delete from public.group_members g
     where g.group_id in (select x.id from public.groups x where x.organization_id = due);
    delete from public.groups g where g.organization_id = due;
    delete from public.memberships m where m.organization_id = due;
    return query delete from public.organizations o where o.id = due returning o.slug;
  end loop;
end $$;
