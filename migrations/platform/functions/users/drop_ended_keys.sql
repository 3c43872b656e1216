-- Deletes the API keys that have ended with their account's generation.
create or replace function public.drop_ended_keys() returns trigger
language plpgsql as $$
begin
  delete from public.api_keys k where k.user_id = new.id and k.generation <> new.generation;
  return null;
end $$;
