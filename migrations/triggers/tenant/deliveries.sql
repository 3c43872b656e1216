-- A trigger that notes new deliveries (public.note_delivery).
create or replace trigger _deliveries_note after insert on tenant._deliveries for each row
  when (new.due_at < now() + interval '1 minute') execute function public.note_delivery();
