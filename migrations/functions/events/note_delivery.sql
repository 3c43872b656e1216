-- Notes a new delivery that is due soon, so that src/runtime/outbox/after-commit.ts queues it after the
-- transaction. A trigger of _deliveries. A delivery that is due in a minute or later belongs to a request
-- that runs its functions itself; if that request fails, the sweep finds the delivery.
create or replace function public.note_delivery() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('tessera.deliveries', concat_ws(E'\n',
    nullif(current_setting('tessera.deliveries', true), ''), new.site_id || ' ' || new.id), true);
  return null;
end $$;
