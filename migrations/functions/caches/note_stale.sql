-- Notes which caches outside the database a change makes stale: a trigger of the tables whose data they have.
-- src/kernel/db reads the notes at the end of the transaction and empties the caches before the client gets
-- its answer. Arguments: the kind of cache, and the column with its key.
create or replace function public.note_stale() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted text;
begin
  if tg_op = 'INSERT' then
    noted := tg_argv[0] || ' ' || (to_jsonb(new) ->> tg_argv[1]);
  elsif tg_op = 'DELETE' then
    noted := tg_argv[0] || ' ' || (to_jsonb(old) ->> tg_argv[1]);
  else
    noted := concat_ws(E'\n', tg_argv[0] || ' ' || (to_jsonb(old) ->> tg_argv[1]),
                              tg_argv[0] || ' ' || (to_jsonb(new) ->> tg_argv[1]));
  end if;
  perform set_config('tessera.stale',
    concat_ws(E'\n', nullif(current_setting('tessera.stale', true), ''), noted), true);
  return null;
end $$;
