-- Stores a version of a function after a change of its code or its settings, and keeps the newest 50
-- versions. A version has no headers and no signing secret, because they are credentials. The row of the
-- function is locked, so that concurrent changes get different numbers. A trigger of _functions.
create or replace function tessera.keep_function_versions() returns trigger
language plpgsql as $$
declare
  apart constant text[] := '{id,app_id,slug,execution_mode,code,headers,uuid,sealed,version,
                             created_at,updated_at,created_by,modified_by}';
  settings constant jsonb := to_jsonb(new) - apart;
begin
  if tg_op = 'UPDATE' and new.code = old.code and settings = to_jsonb(old) - apart then
    return null;
  end if;
  execute format(
    'with added as (
       insert into %1$I._function_versions (function_id, number, settings, code, hash, user_id, username)
       select $1, coalesce(max(v.number), 0) + 1, $2, $3,
              encode(sha256(convert_to($2::text || chr(10) || $3, ''UTF8'')), ''hex''), $4, $5
         from %1$I._function_versions v where v.function_id = $1
       returning number
     )
     delete from %1$I._function_versions v using added
      where v.function_id = $1 and v.number <= added.number - 50', tg_table_schema)
    using new.id, settings, new.code, nullif(current_setting('tessera.caller', true), '')::bigint,
          nullif(current_setting('tessera.username', true), '');
  return null;
end $$;
