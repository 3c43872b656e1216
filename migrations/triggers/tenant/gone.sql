-- Triggers that remove rows that a site has deleted (public.remove_gone).
create or replace trigger _datatables_remove_gone after update of is_gone on tenant._datatables
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _deleted_datatables_remove_gone after update of is_gone
  on tenant._deleted_datatables
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _functions_remove_gone after update of is_gone on tenant._functions
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _subscribers_remove_gone after update of is_gone on tenant._subscribers
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _deliveries_remove_gone after update of is_gone on tenant._deliveries
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _awaited_notes_remove_gone after update of is_gone on tenant._awaited_notes
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _social_apps_remove_gone after update of is_gone on tenant._social_apps
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _social_attempts_remove_gone after update of is_gone on tenant._social_attempts
  for each row when (new.is_gone) execute function public.remove_gone('state');
create or replace trigger _secret_types_remove_gone after update of is_gone on tenant._secret_types
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _tags_remove_gone after update of is_gone on tenant._tags
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _secrets_remove_gone after update of is_gone on tenant._secrets
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _secret_tags_remove_gone after update of is_gone on tenant._secret_tags
  for each row when (new.is_gone) execute function public.remove_gone('secret_id', 'tag_id');
create or replace trigger _questions_remove_gone after update of is_gone on tenant._questions
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _dashboards_remove_gone after update of is_gone on tenant._dashboards
  for each row when (new.is_gone) execute function public.remove_gone('id');
create or replace trigger _invocations_remove_gone after update of is_gone on tenant._invocations
  for each row when (new.is_gone) execute function public.remove_gone('id');
