-- Triggers that note that a change makes the cache of secrets stale (public.note_stale_secrets). The state of
-- an app decides which secret a key stands for. The names of types and tags are shown with each secret.
create or replace trigger _apps_note_stale_insert after insert on tenant._apps
  referencing new table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _apps_note_stale_update after update on tenant._apps
  referencing new table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _apps_note_stale_delete after delete on tenant._apps
  referencing old table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _secret_types_note_stale_update after update on tenant._secret_types
  referencing new table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _secret_types_note_stale_delete after delete on tenant._secret_types
  referencing old table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _tags_note_stale_update after update on tenant._tags
  referencing new table as changed for each statement execute function public.note_stale_secrets();
create or replace trigger _tags_note_stale_delete after delete on tenant._tags
  referencing old table as changed for each statement execute function public.note_stale_secrets();
