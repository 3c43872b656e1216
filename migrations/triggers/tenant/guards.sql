-- Triggers that keep functions that guard an event, and their apps, active (public.keep_guards).
create or replace trigger _functions_keep_guards before delete on tenant._functions
  for each row when (old.is_active) execute function public.keep_guards();
create or replace trigger _functions_keep_active_guards before update on tenant._functions
  for each row when (old.is_active and not new.is_active) execute function public.keep_guards();
create or replace trigger _apps_keep_guards before update on tenant._apps
  for each row when (old.is_active and not new.is_active) execute function public.keep_guards();
