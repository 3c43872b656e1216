-- Ends the sign-ins and API keys of an account that becomes inactive. They do not come back when it becomes
-- active again. A trigger of users.
create or replace function public.end_with_activity() returns trigger
language plpgsql as $$
begin
  new.generation := greatest(new.generation, old.generation + 1);
  return new;
end $$;
