-- Triggers that keep rows: system secret types (public.keep_system_type), and social apps that users sign in
-- with (public.keep_used_social_app).
create or replace trigger _secret_types_keep_system before update on tenant._secret_types for each row
  when (old.type = 'system') execute function public.keep_system_type();
create or replace trigger _social_apps_keep_used before update of is_gone on tenant._social_apps
  for each row when (new.is_gone) execute function public.keep_used_social_app();
