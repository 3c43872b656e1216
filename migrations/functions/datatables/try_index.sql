-- Returns what Postgres expects a statement to cost without and with an index, and whether it would use it.
-- p_reads: a statement that reads a table of a site, without parameters. p_creates: the `create index`. No
-- index is created and no data is read: the extension hypopg lets the planner assume that the index exists.
-- Null if there is no such extension, or if the statement can no longer be planned, for example because its
-- table was dropped. Called by src/data.
create or replace function public.try_index(p_reads text, p_creates text) returns json
language plpgsql as $$
declare
  home text;
  before json;
  after json;
  index_name text;
begin
  select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
   where e.extname = 'hypopg';
  if home is null then
    return null;
  end if;
  -- Removes the hypothetical indexes that an earlier, failed trial has left in the connection.
  execute format('select %I.hypopg_reset()', home);
  before := public.plan_in_site(p_reads);
  execute format('select indexname from %I.hypopg_create_index($1)', home) into index_name using p_creates;
  after := public.plan_in_site(p_reads);
  execute format('select %I.hypopg_reset()', home);
  return json_build_object(
    'cost_before', before #> '{0,Plan,Total Cost}', 'cost_after', after #> '{0,Plan,Total Cost}',
    'is_used', position(to_json(index_name)::text in after::text) > 0);
exception when others then
  return null;
end $$;
