-- Triggers that keep the row that waits for the next tick of a function (public.keep_schedule).
create or replace trigger _functions_keep_schedule after insert or delete on tenant._functions
  for each row execute function public.keep_schedule();
create or replace trigger _functions_move_schedule after update on tenant._functions for each row
  when ((old.schedule, old.schedule_zone) is distinct from (new.schedule, new.schedule_zone))
  execute function public.keep_schedule();
