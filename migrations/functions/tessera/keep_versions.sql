-- Stores the versions of the records that a statement has written: a trigger of tables with a history. All
-- versions of a transaction have the same time: the time at which it first wrote a record of a table with a
-- history. By then the rows are locked, so that the next writer gets a later time. Refuses (40001) a version
-- that is older than the previous version of its record, which can happen in a later statement of a
-- transaction. If the transaction is repeated, it has a later time. Keeps no version of a change whose second
-- statement follows (tessera.unfinished). Arguments:
--   0  the table of the versions
--   1  an expression for the document of a row `r`
--   2  a condition: the documents of `h`, a version, and `d` are of the same record
create or replace function tessera.keep_versions() returns trigger
language plpgsql as $$
declare
  earlier constant pg_catalog.text := nullif(current_setting('tessera.version_time', true), '');
  since constant pg_catalog.timestamptz := coalesce(earlier::timestamptz, clock_timestamp());
  is_late boolean;
begin
  if current_setting('tessera.unfinished', true) <> '' then
    return null;
  end if;
  if earlier is null then
    perform set_config('tessera.version_time', since::text, true);
  end if;
  execute format(
    'with written as materialized (
       select %2$s as _data from %4$I r
     ), d as materialized (
       select w._data, p.number, p.valid_from
         from written w left join lateral (
           select h.number, h.valid_from from %1$s h, (select w._data) d where %3$s
            order by h.number desc limit 1) p on true
     ), ended as (
       update %1$s h set valid_to = greatest($1, d.valid_from) from d where %3$s and h.number = d.number
     ), added as (
       insert into %1$s (number, valid_from, operation, changed_by, changed_by_name, _data)
       select coalesce(d.number, 0) + 1, greatest($1, d.valid_from), $2, $3, $4, d._data from d
     )
     select bool_or(valid_from > $1) from d',
    tg_argv[0], tg_argv[1], tg_argv[2], case tg_op when 'DELETE' then '_old' else '_new' end)
    into is_late
    using since, case tg_op when 'INSERT' then 'create' else lower(tg_op) end,
          nullif(current_setting('tessera.caller', true), '')::bigint,
          nullif(current_setting('tessera.username', true), '');
  if is_late and earlier is not null then
    raise sqlstate '40001' using message = 'another transaction has made a later version';
  end if;
  return null;
end $$;
