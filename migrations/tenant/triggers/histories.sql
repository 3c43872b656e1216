-- Triggers that note the datatables of a site that keep versions for a number of days (public.note_history).
create or replace trigger _datatables_note_history_made after insert on _datatables for each row
  when (new.json_schema #> '{history,days}' is not null) execute function public.note_history();
create or replace trigger _datatables_note_history_changed after update of json_schema, is_materialized
  on _datatables
  for each row execute function public.note_history();
create or replace trigger _datatables_note_history_gone after delete on _datatables for each row
  when (old.json_schema #> '{history,days}' is not null) execute function public.note_history();
