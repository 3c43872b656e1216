-- A trigger that keeps the versions of functions (tessera.keep_function_versions).
create or replace trigger _functions_keep_versions after insert or update on _functions
  for each row execute function tessera.keep_function_versions();
