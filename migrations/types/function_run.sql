-- A run of a function that calls the API, as src/kernel/db/run-check.ts writes it. site_id: the site of the
-- run. invocation_id and attempt: the run. is_stored: whether its invocation is stored while it runs. depth:
-- its own place in the chain of causes.
create type public.function_run as (
  site_id bigint,
  invocation_id bigint,
  attempt integer,
  is_stored boolean,
  depth integer
);
