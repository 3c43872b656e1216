-- Triggers that mirror the deliveries of a site in public.outbox (public.note_delivery).
create or replace trigger _deliveries_note_made after insert on _deliveries
  for each row execute function public.note_delivery();
create or replace trigger _deliveries_note_moved after update on _deliveries for each row
  when (old.due_at is distinct from new.due_at) execute function public.note_delivery();
create or replace trigger _deliveries_note_gone after delete on _deliveries
  for each row execute function public.note_delivery();
