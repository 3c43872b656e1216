-- The trigger that keeps the roles of sites which are used (public.keep_roles).
create or replace trigger sites_keep_roles after update on public.sites for each row
  when (old.roles is distinct from new.roles or old.domain_groups is distinct from new.domain_groups)
  execute function public.keep_roles();
