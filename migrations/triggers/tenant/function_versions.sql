-- A trigger that keeps the versions of functions (public.keep_function_versions).
create or replace trigger _functions_keep_versions after insert or update on tenant._functions
  for each row execute function public.keep_function_versions();
