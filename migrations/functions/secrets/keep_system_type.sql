-- Refuses (TS403) a change of a system secret type by a caller who is not a superuser. A trigger of
-- _secret_types. A change without a caller is the service's own.
create or replace function public.keep_system_type() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  caller constant bigint := nullif(current_setting('tessera.caller', true), '')::bigint;
begin
  if caller is not null then
    perform public.require_superuser(caller);
  end if;
  return new;
end $$;
