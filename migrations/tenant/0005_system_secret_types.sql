-- The secret types that every site has from the beginning. A value need not have what is described here; what it has fits.
insert into _secret_types (type, name, slug, description, sensitivity_level, schema)
select 'system', t.name, t.name, t.description, 'private',
       json_build_object('$schema', 'https://json-schema.org/draft/2020-12/schema', 'type', 'object', 'properties', t.properties::json, 'minProperties', 1)
  from (values
    ('api-key', 'The key of an API, and where that is.',
     '{"api_key": {"type": "string", "minLength": 1}, "base_url": {"type": "string", "format": "uri"}}'),
    ('oauth-client', 'The credentials of an OAuth 2 client.',
     '{"client_id": {"type": "string", "minLength": 1}, "client_secret": {"type": "string", "minLength": 1},
       "token_url": {"type": "string", "format": "uri"}, "scopes": {"type": "array", "items": {"type": "string"}}}'),
    ('database-url', 'The address of a database, with its credentials.',
     '{"url": {"type": "string", "format": "uri"}}'),
    ('aws-credentials', 'An access key of Amazon Web Services.',
     '{"access_key_id": {"type": "string", "minLength": 1}, "secret_access_key": {"type": "string", "minLength": 1},
       "session_token": {"type": "string"}, "region": {"type": "string", "minLength": 1}}'),
    ('smtp-credentials', 'How e-mail is sent.',
     '{"host": {"type": "string", "minLength": 1}, "port": {"type": "integer", "minimum": 1, "maximum": 65535},
       "username": {"type": "string"}, "password": {"type": "string"}, "use_tls": {"type": "boolean"}}')
  ) as t (name, description, properties);
--> statement-breakpoint

-- What was noted stays as it was noted.
do $$
begin
  execute format('revoke update, delete, truncate on _secret_history, _secret_reads from %I', current_schema());
end $$;
--> statement-breakpoint

-- An app that goes, or comes back, changes what a secret's key means to those who ask for the app.
create trigger _apps_note_stale after insert or update or delete or truncate on _apps
  for each statement execute function public.note_stale('secrets');

-- So do other names of types and tags, which are shown with each secret.
create trigger _secret_types_note_stale after update or delete or truncate on _secret_types
  for each statement execute function public.note_stale('secrets');
create trigger _tags_note_stale after update or delete or truncate on _tags
  for each statement execute function public.note_stale('secrets');
