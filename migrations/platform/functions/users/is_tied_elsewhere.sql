-- Whether an account is tied to another organization than this one, by one of some kinds of ties (public.ties).
create or replace function public.is_tied_elsewhere(p_user bigint, p_organization bigint, p_kinds text[]) returns boolean stable
language sql as $$
  select exists (select from public.ties(p_user) t where t.kind = any (p_kinds) and t.organization_id <> p_organization)
$$;
