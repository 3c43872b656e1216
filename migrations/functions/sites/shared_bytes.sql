-- Returns about how many bytes the rows of a site have in the tables of the schema `tenant`: their number
-- times the mean size of a hundred of them. Called by public.require_transfer_room and
-- src/operation/watching.
create or replace function public.shared_bytes(p_site_id bigint) returns bigint
language plpgsql stable as $$
declare
  shared regclass;
  bytes bigint;
  total bigint := 0;
begin
  for shared in
    select c.oid from pg_class c where c.relnamespace = 'tenant'::regnamespace and c.relkind = 'r'
  loop
    execute format(
      'select (select count(*) from %1$s x where x.site_id = $1)
              * coalesce((select avg(pg_column_size(s.*)) from (
                            select x.* from %1$s x where x.site_id = $1 limit 100) s), 0)', shared)
      into bytes using p_site_id;
    total := total + bytes;
  end loop;
  return total;
end $$;
