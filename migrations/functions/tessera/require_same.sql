-- Refuses (TS436) a change of members that cannot be changed. p_sent: for each sent member, an object with
-- its "value" and the "problem" of another value. p_current: the resource. The detail of the error is the
-- problems by member. Called by src/kernel/http.
create or replace function tessera.require_same(p_sent jsonb, p_current jsonb) returns void
language plpgsql as $$
declare
  problems pg_catalog.jsonb;
begin
  select jsonb_object_agg(s.key, jsonb_build_array(s.value->>'problem')) into problems
    from jsonb_each(p_sent) s
   where s.value->'value' is distinct from coalesce(p_current->s.key, 'null');
  if problems is not null then
    raise sqlstate 'TS436' using message = 'members cannot be changed', detail = problems::text;
  end if;
end $$;
