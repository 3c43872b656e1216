-- Prepares a statement in this session, unless the session has prepared the same text under the same name, so
-- that Postgres plans it once. Returns whether it had to. p_text: the text of `prepare`. All sites share the
-- session, and any statement in it can list, drop and remake what others have prepared: so the text is
-- compared at each use. A session keeps 16 statements and 128 KiB, because the comparison reads the texts of
-- all; if there is more, whoever prepared it, the oldest are dropped. Called by tessera.run.
create or replace function tessera.keep_plan(p_text text) returns boolean strict
language plpgsql as $$
declare
  own constant pg_catalog.text := split_part(p_text, ' ', 2);
  kept_text pg_catalog.text;
  is_full boolean;
  doomed pg_catalog.text;
begin
  select max(s.statement) filter (where s.name = own),
         count(*) filter (where s.name <> own) >= 16 or sum(octet_length(s.statement)) > 131072
    into kept_text, is_full
    from pg_catalog.pg_prepared_statements s where s.from_sql;
  if kept_text = p_text and not is_full then
    return false;
  end if;
  for doomed in
    select k.name
      from (select s.name, row_number() over newest as place,
                   sum(octet_length(s.statement)) over newest as bytes
              from pg_catalog.pg_prepared_statements s where s.from_sql and s.name <> own
            window newest as (order by s.prepare_time desc, s.name)) k
     where k.place > 15 or k.bytes > 131072 - octet_length(p_text)
    union all
    select own where kept_text <> p_text
  loop
    execute format('deallocate %I', doomed);
  end loop;
  if kept_text = p_text then
    return false;
  end if;
  execute p_text;
  return true;
end $$;
