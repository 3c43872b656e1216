-- Triggers that keep what the catalog of a site says of its tables.

-- The version of the catalog (public.touch_catalog).
create or replace trigger _apps_touch_catalog after insert or update or delete or truncate on _apps
  for each statement execute function public.touch_catalog();
create or replace trigger _datasources_touch_catalog after insert or update or delete or truncate
  on _datasources
  for each statement execute function public.touch_catalog();
create or replace trigger _datatables_touch_catalog after insert or update or delete or truncate
  on _datatables
  for each statement execute function public.touch_catalog();
create or replace trigger _subscribers_touch_catalog after insert or update or delete or truncate
  on _subscribers
  for each statement execute function public.touch_catalog();

-- The time at which each foreign key of a datatable was added (tessera.date_keys).
create or replace trigger _datatables_date_keys before insert or update of json_schema, is_materialized
  on _datatables
  for each row execute function tessera.date_keys();
