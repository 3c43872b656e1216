-- An account that is switched off has its sign-ins and API keys ended, for good: they do not come back with it.
create or replace function public.end_with_activity() returns trigger
language plpgsql as $$
begin
  new.generation := greatest(new.generation, old.generation + 1);
  return new;
end $$;
