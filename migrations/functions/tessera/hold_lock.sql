-- Waits until no other transaction holds a lock of a site, and holds it until the end of this one. The lock
-- is a row, because a statement of any site could take an advisory lock. p_name: the name of the lock. Called
-- by public.lock_site, tessera.check_edge_cycles and src/operation/questions.
create or replace function tessera.hold_lock(p_site_id bigint, p_name text) returns void
language plpgsql as $$
begin
  insert into tenant._locks (site_id, name) values (p_site_id, p_name) on conflict do nothing;
  perform from tenant._locks l where l.site_id = p_site_id and l.name = p_name for update;
end $$;
