-- Deletes the API keys of an account that end with its generation, and the trust in its devices. A trigger of
-- users.
create or replace function public.drop_ended_keys() returns trigger
language plpgsql as $$
begin
  delete from public.api_keys k where k.user_id = new.id and k.generation <> new.generation;
  delete from public.trusted_devices t where t.user_id = new.id;
  return null;
end $$;
