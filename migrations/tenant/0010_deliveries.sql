create trigger _deliveries_note_made after insert on _deliveries for each row execute function public.note_delivery();
create trigger _deliveries_note_moved after update on _deliveries for each row
  when (old.due_at is distinct from new.due_at) execute function public.note_delivery();
create trigger _deliveries_note_gone after delete on _deliveries for each row execute function public.note_delivery();
--> statement-breakpoint
-- Kept for a moment only: not worth compressing.
alter table _deliveries alter column records set storage external, alter column previous set storage external;
--> statement-breakpoint
-- The catalog says which events of an app somebody is subscribed to, so that what nobody waits for costs nothing.
create trigger _subscribers_touch_catalog after insert or update or delete or truncate on _subscribers
  for each statement execute function public.touch_catalog();
