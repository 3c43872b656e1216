-- Triggers that mirror the deleted datatables of a site in public.deleted_datatables
-- (public.note_deleted_datatable).
create or replace trigger _deleted_datatables_note_made after insert on _deleted_datatables
  for each row execute function public.note_deleted_datatable();
create or replace trigger _deleted_datatables_note_moved after update on _deleted_datatables for each row
  when (old.drop_at is distinct from new.drop_at) execute function public.note_deleted_datatable();
create or replace trigger _deleted_datatables_note_gone after delete on _deleted_datatables
  for each row execute function public.note_deleted_datatable();
