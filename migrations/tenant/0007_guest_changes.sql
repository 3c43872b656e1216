-- Makes the functions by which guests change records take several records with a key for each, as upserts
-- send them. Older ones wrote the first record to every key. A site whose rules are saved again has the same
-- function. The service refuses sites that lack this step, so an upsert never calls an older one.
do $$
declare
  -- Older functions chose the record of a key by whether keys were given.
  old_place constant text := '_input._n = case when $2 is null then _wanted._n else 0 end';
  new_place constant text := '_input._n = case when jsonb_array_length($1) > 1 then _wanted._n else 0 end';
  -- They looked for repeated keys in records that have none.
  old_repeated constant text := 'from _input) _keys where _n > _first';
  new_repeated constant text := 'from _input) _keys where $2 is null and _n > _first';
  changer regprocedure;
  edges record;
begin
  for changer in
    select p.oid from pg_proc p
     where p.pronamespace = to_regnamespace(quote_ident(current_schema() || '_guest'))
       and strpos(p.prosrc, old_place) > 0
  loop
    execute replace(replace(pg_get_functiondef(changer), old_place, new_place), old_repeated, new_repeated);
  end loop;
  -- Lists of edges read pages from a view of their own. Where rules were saved before, it is made of the view
  -- of all edges. Its name is shortened as the service shortens names.
  for edges in
    select n.nspname as place, c.relname as name, pg_get_userbyid(c.relowner) as owner,
           case when length(p.name) <= 63 then p.name
                else left(p.name, 52) || '_' ||
                     left(encode(sha256(convert_to(p.name, 'UTF8')), 'hex'), 10) end as pages
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (select c.relname || '$pages' as name) p
     where n.nspname = current_schema() || '_guest' and c.relkind = 'v' and c.relname like '%$edges'
  loop
    execute format(
      'create view %1$I.%2$I with (security_barrier) as
         select * from %1$I.%3$I order by from_id, type, to_id', edges.place, edges.pages, edges.name);
    execute format('alter view %I.%I owner to %I', edges.place, edges.pages, edges.owner);
    execute format('grant select on %1$I.%2$I to %1$I', edges.place, edges.pages);
  end loop;
end $$;
