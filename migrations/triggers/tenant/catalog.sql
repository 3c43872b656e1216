-- Triggers that keep what the catalog of a site says of its tables.

-- The version of the catalog (public.touch_catalog).
create or replace trigger _apps_touch_catalog_insert after insert on tenant._apps
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _apps_touch_catalog_update after update on tenant._apps
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _apps_touch_catalog_delete after delete on tenant._apps
  referencing old table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datasources_touch_catalog_insert after insert on tenant._datasources
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datasources_touch_catalog_update after update on tenant._datasources
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datasources_touch_catalog_delete after delete on tenant._datasources
  referencing old table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datatables_touch_catalog_insert after insert on tenant._datatables
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datatables_touch_catalog_update after update on tenant._datatables
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _datatables_touch_catalog_delete after delete on tenant._datatables
  referencing old table as changed for each statement execute function public.touch_catalog();
create or replace trigger _subscribers_touch_catalog_insert after insert on tenant._subscribers
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _subscribers_touch_catalog_update after update on tenant._subscribers
  referencing new table as changed for each statement execute function public.touch_catalog();
create or replace trigger _subscribers_touch_catalog_delete after delete on tenant._subscribers
  referencing old table as changed for each statement execute function public.touch_catalog();

-- The time at which each foreign key of a datatable was added (tessera.date_keys).
create or replace trigger _datatables_date_keys before insert or update of json_schema, is_materialized
  on tenant._datatables
  for each row execute function tessera.date_keys();
