-- Makes the secret types that every site has. The schema of each accepts a value that has at least one of its
-- properties. Called by public.create_site.
create or replace function public.make_system_types(p_site_id bigint) returns void
language sql as $$
  insert into tenant._secret_types (site_id, type, name, slug, description, sensitivity_level, schema)
  select p_site_id, 'system', t.name, t.name, t.description, 'private',
         json_build_object('$schema', 'https://json-schema.org/draft/2020-12/schema',
                           'type', 'object', 'properties', t.properties::json, 'minProperties', 1)
    from (values
      ('api-key', 'The key of an API, and the address of the API.',
       '{"api_key": {"type": "string", "minLength": 1}, "base_url": {"type": "string", "format": "uri"}}'),
      ('oauth-client', 'The credentials of an OAuth 2 client.',
       '{"client_id": {"type": "string", "minLength": 1}, "client_secret": {"type": "string", "minLength": 1},
         "token_url": {"type": "string", "format": "uri"},
         "scopes": {"type": "array", "items": {"type": "string"}}}'),
      ('database-url', 'The address of a database, with its credentials.',
       '{"url": {"type": "string", "format": "uri"}}'),
      ('aws-credentials', 'An access key of Amazon Web Services.',
       '{"access_key_id": {"type": "string", "minLength": 1},
         "secret_access_key": {"type": "string", "minLength": 1},
         "session_token": {"type": "string"}, "region": {"type": "string", "minLength": 1}}'),
      ('smtp-credentials', 'The server that sends e-mail, and its credentials.',
       '{"host": {"type": "string", "minLength": 1},
         "port": {"type": "integer", "minimum": 1, "maximum": 65535},
         "username": {"type": "string"}, "password": {"type": "string"}, "use_tls": {"type": "boolean"},
         "from": {"type": "string", "minLength": 1}}')
    ) as t (name, description, properties);
$$;
