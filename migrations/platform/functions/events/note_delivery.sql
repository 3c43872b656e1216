-- Mirrors a row of a site's _deliveries in public.outbox, and notes a new one that is due soon, so that
-- src/outbox/after-commit.ts queues it after the transaction. A trigger of _deliveries. A delivery that is
-- due in a minute or later belongs to a request that runs its functions itself; if that request fails, the
-- sweep finds the delivery.
create or replace function public.note_delivery() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant bigint := substr(tg_table_schema, length('site_') + 1)::bigint;
begin
  if tg_op = 'DELETE' then
    delete from public.outbox o where o.site_id = site and o.delivery_id = old.id;
  elsif tg_op = 'UPDATE' then
    update public.outbox o set due_at = new.due_at where o.site_id = site and o.delivery_id = new.id;
  else
    insert into public.outbox (site_id, delivery_id, due_at) values (site, new.id, new.due_at);
    if new.due_at < now() + interval '1 minute' then
      perform set_config('tessera.deliveries', concat_ws(E'\n',
        nullif(current_setting('tessera.deliveries', true), ''), site || ' ' || new.id), true);
    end if;
  end if;
  return null;
end $$;
