-- Logs are append-only for the site's own role.
do $$
begin
  execute format('revoke update, delete, truncate on _secret_history, _secret_reads from %I', current_schema());
end $$;
--> statement-breakpoint

-- A change of an app, a datasource, a datatable or a subscription raises the site's catalog version.
create trigger _apps_touch_catalog after insert or update or delete or truncate on _apps
  for each statement execute function public.touch_catalog();
create trigger _datasources_touch_catalog after insert or update or delete or truncate on _datasources
  for each statement execute function public.touch_catalog();
create trigger _datatables_touch_catalog after insert or update or delete or truncate on _datatables
  for each statement execute function public.touch_catalog();
create trigger _subscribers_touch_catalog after insert or update or delete or truncate on _subscribers
  for each statement execute function public.touch_catalog();
--> statement-breakpoint

-- Notes when the foreign keys of a datatable came.
create trigger _datatables_date_keys before insert or update of json_schema, is_materialized on _datatables
  for each row execute function tessera.date_keys();
--> statement-breakpoint

-- Deleting or restoring an app changes which secret a key stands for. Names of types and tags are shown with each secret.
create trigger _apps_note_stale after insert or update or delete or truncate on _apps
  for each statement execute function public.note_stale('secrets');
create trigger _secret_types_note_stale after update or delete or truncate on _secret_types
  for each statement execute function public.note_stale('secrets');
create trigger _tags_note_stale after update or delete or truncate on _tags
  for each statement execute function public.note_stale('secrets');
--> statement-breakpoint

-- Mirrors the site's deliveries in public.outbox.
create trigger _deliveries_note_made after insert on _deliveries for each row execute function public.note_delivery();
create trigger _deliveries_note_moved after update on _deliveries for each row
  when (old.due_at is distinct from new.due_at) execute function public.note_delivery();
create trigger _deliveries_note_gone after delete on _deliveries for each row execute function public.note_delivery();
--> statement-breakpoint
-- Mirrors the site's deleted datatables in public.deleted_datatables.
create trigger _deleted_datatables_note_made after insert on _deleted_datatables
  for each row execute function public.note_deleted_datatable();
create trigger _deleted_datatables_note_moved after update on _deleted_datatables for each row
  when (old.drop_at is distinct from new.drop_at) execute function public.note_deleted_datatable();
create trigger _deleted_datatables_note_gone after delete on _deleted_datatables
  for each row execute function public.note_deleted_datatable();
--> statement-breakpoint
-- Payloads are kept for a moment only: compressing them would cost more than it saves.
alter table _deliveries alter column records set storage external, alter column previous set storage external;
