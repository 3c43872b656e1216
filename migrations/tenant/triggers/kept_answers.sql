-- A trigger that notes when the kept answers of a site have to be swept (public.note_kept_answer).
create or replace trigger _kept_answers_note after insert or update of expires_at on _kept_answers
  for each row execute function public.note_kept_answer();
