-- Stores a version of a function after a change of its code or its settings, and keeps the newest 50
-- versions. A version has no headers and no signing secret, because they are credentials. The row of the
-- function is locked, so that concurrent changes get different numbers. A trigger of _functions.
create or replace function public.keep_function_versions() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  apart constant text[] := '{site_id,id,app_id,slug,execution_mode,code,headers,uuid,sealed,version,
                             created_at,updated_at,created_by,modified_by,is_gone}';
  kept constant jsonb := to_jsonb(new) - apart;
begin
  if tg_op = 'UPDATE' and new.code = old.code and kept = to_jsonb(old) - apart then
    return null;
  end if;
  with added as (
    insert into tenant._function_versions
      (site_id, function_id, number, settings, code, hash, user_id, username)
    select new.site_id, new.id, coalesce(max(v.number), 0) + 1, kept, new.code,
           encode(sha256(convert_to(kept::text || chr(10) || new.code, 'UTF8')), 'hex'),
           nullif(current_setting('tessera.caller', true), '')::bigint,
           nullif(current_setting('tessera.username', true), '')
      from tenant._function_versions v where v.site_id = new.site_id and v.function_id = new.id
    returning number
  )
  delete from tenant._function_versions v using added
   where v.site_id = new.site_id and v.function_id = new.id and v.number <= added.number - 50;
  return null;
end $$;
