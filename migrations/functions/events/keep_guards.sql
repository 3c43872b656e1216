-- Refuses (TS445) to switch off or delete a function that guards an event, and to deactivate its app: an
-- operation would no longer be checked, and nobody would notice. The detail is the slugs of the functions and
-- the names of the events. A trigger of _functions and _apps. E8.
create or replace function public.keep_guards() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  guards constant text := (
    select string_agg(distinct 'The function "' || f.slug || '" guards ' || x.event, '. ')
      from tenant._subscribers x join tenant._functions f on f.site_id = x.site_id and f.id = x.function_id
     where x.site_id = old.site_id and x.event like 'PRE\_%' and f.is_active
       and old.id = case tg_table_name when '_apps' then f.app_id else f.id end);
begin
  if guards is not null then
    raise sqlstate 'TS445' using message = 'a function guards an event', detail = guards;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
