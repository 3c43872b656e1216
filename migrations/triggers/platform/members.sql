-- The trigger that gives new members the groups of their directory (public.restore_groups).
create or replace trigger memberships_restore_groups after insert on public.memberships
  for each row execute function public.restore_groups();
