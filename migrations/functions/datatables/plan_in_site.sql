-- Returns the plan of a statement that reads a table of a site, with the rights of the site's role: the
-- platform's role may not read it. The first schema that the statement names tells the site. What the planner
-- calls could change settings of the session, so all is undone. Called by public.try_index.
create or replace function public.plan_in_site(p_reads text) returns json language plpgsql as $$
declare
  plan json;
begin
  execute format('select answer::json -> ''QUERY PLAN'' from runs.%I(array[$1], array[''''], null)',
                 substring(p_reads from '"(site_[0-9]+)"[.]'))
     into plan using 'rexplain (format json) ' || replace(p_reads, '%', '%%');
  raise sqlstate 'TS208' using message = 'the end of a plan';
exception when sqlstate 'TS208' then
  return plan;
end $$;
