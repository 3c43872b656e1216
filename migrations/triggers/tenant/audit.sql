-- Triggers that write the audit of everything that a site keeps beside its records (public.note_change).
create or replace trigger _apps_audit after insert or update or delete on tenant._apps
  for each row execute function public.note_change('app', 'id', 'slug', 'name,is_active,rules',
    'updated_at,modified_by');
create or replace trigger _datasources_audit after insert or update or delete on tenant._datasources
  for each row execute function public.note_change('datasource', 'id', 'slug', 'name,is_active',
    'updated_at,modified_by');
create or replace trigger _datatables_audit after insert or update or delete on tenant._datatables
  for each row execute function public.note_change('datatable', 'id', 'name', 'is_materialized',
    'updated_at,modified_by,schema_hash,keys_since');
create or replace trigger _erasures_audit after insert on tenant._erasures
  for each row execute function public.note_change('erasure', 'id', 'record', 'versions', '');
create or replace trigger _functions_audit after insert or update or delete on tenant._functions
  for each row execute function public.note_change('function', 'id', 'slug', 'is_active',
    'updated_at,modified_by,version');
create or replace trigger _subscribers_audit after insert or update or delete on tenant._subscribers
  for each row execute function public.note_change('subscription', 'id', 'event', 'function_id',
    'updated_at');
create or replace trigger _social_apps_audit after insert or update or delete on tenant._social_apps
  for each row execute function public.note_change('social_app', 'id', 'handle', 'name',
    'updated_at,modified_by,version,revision');
-- Every site is made with the system types.
create or replace trigger _secret_types_audit_made after insert on tenant._secret_types
  for each row when (new.type <> 'system') execute function public.note_change(
    'secret_type', 'id', 'slug', '', 'modified_at,version');
create or replace trigger _secret_types_audit after update or delete on tenant._secret_types
  for each row execute function public.note_change('secret_type', 'id', 'slug', '', 'modified_at,version');
create or replace trigger _secrets_audit after insert or update or delete on tenant._secrets
  for each row execute function public.note_change('secret', 'id', 'key', '', 'modified_at,version');
create or replace trigger _questions_audit after insert or update or delete on tenant._questions
  for each row execute function public.note_change('question', 'id', 'name', 'name',
    'updated_at,modified_by,version');
create or replace trigger _dashboards_audit after insert or update or delete on tenant._dashboards
  for each row execute function public.note_change('dashboard', 'id', 'name', 'name',
    'updated_at,modified_by,version');
