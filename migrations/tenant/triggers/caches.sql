-- Triggers that note that a change makes the cache of secrets stale (public.note_stale). The state of an app
-- decides which secret a key stands for. The names of types and tags are shown with each secret.
create or replace trigger _apps_note_stale after insert or update or delete or truncate on _apps
  for each statement execute function public.note_stale('secrets');
create or replace trigger _secret_types_note_stale after update or delete or truncate on _secret_types
  for each statement execute function public.note_stale('secrets');
create or replace trigger _tags_note_stale after update or delete or truncate on _tags
  for each statement execute function public.note_stale('secrets');
