-- What the secrets of a site need of the platform, whose tables are out of a tenant's reach. All but the triggers are
-- called before a tenant is entered, or in its place.

-- Says, to the statements that follow and to the Worker, who asks (nobody, for p_caller null), whether they may read
-- what is not public in the site that the request names, and which keys its values are encrypted with. Whether the
-- caller may sign in at all, `enter` checks next.
create function public.introduce(
  p_host text, p_slug text, p_caller bigint,
  out site_id bigint, out site_slug text, out username text, out may_read boolean, out data_keys json, out proofs json
) language plpgsql as $$
declare
  organization bigint;
begin
  select s.id, s.slug, s.organization_id into introduce.site_id, introduce.site_slug, organization
    from public.sites s where s.slug = public.site_at(p_host, p_slug);
  select u.username, u.is_superuser
         or exists (select from public.memberships m where m.organization_id = organization and m.user_id = u.id and m.role in ('owner', 'admin'))
         or exists (select from public.site_permissions p
                     where p.site_id = introduce.site_id and p.user_id = u.id and p.permissions && array['access_site', 'admin_site'])
    into introduce.username, introduce.may_read
    from public.users u where u.id = p_caller;
  may_read := coalesce(may_read, false);
  select coalesce(json_agg(json_build_object('version', d.version, 'masterKid', d.master_kid, 'wrapped', d.wrapped) order by d.version), '[]')
    into introduce.data_keys from public.data_keys d where d.site_id = introduce.site_id;
  -- Who makes the first key of a site has to know that the master key is the one that others use by this name.
  if data_keys::text = '[]' then
    select coalesce(json_object_agg(k.kid, k.proof), '{}') into introduce.proofs from public.master_keys k;
  end if;
  perform set_config('tessera.username', coalesce(username, ''), true);
  perform set_config('tessera.may_read', may_read::text, true);
end $$;
--> statement-breakpoint

-- Holds, until the end of the transaction, the key that a value was encrypted with: it is the newest of its site. With
-- p_wrapped it is the first one, made by whoever comes first. TS409 when it is another by now.
create function public.use_data_key(p_site bigint, p_version integer, p_wrapped text, p_master_kid text, p_proof text) returns void
language plpgsql as $$
begin
  if p_wrapped is not null then
    insert into public.master_keys (kid, proof) values (p_master_kid, p_proof) on conflict do nothing;
    insert into public.data_keys (site_id, version, master_kid, wrapped) values (p_site, p_version, p_master_kid, p_wrapped) on conflict do nothing;
  end if;
  perform from public.data_keys d
   where d.site_id = p_site and d.version = p_version and (p_wrapped is null or d.wrapped = p_wrapped) for share;
  if not found or exists (select from public.data_keys d where d.site_id = p_site and d.version > p_version) then
    raise sqlstate 'TS409' using message = 'the site has a newer key';
  end if;
end $$;
--> statement-breakpoint

-- Gives a site a new key, once nobody is about to store what the present one encrypted. False when p_version is not the
-- one that follows.
create function public.add_data_key(p_site bigint, p_version integer, p_wrapped text, p_master_kid text, p_proof text) returns boolean
language plpgsql as $$
begin
  perform from public.data_keys d where d.site_id = p_site and d.version = p_version - 1 for update;
  if not found then
    return false;
  end if;
  insert into public.master_keys (kid, proof) values (p_master_kid, p_proof) on conflict do nothing;
  insert into public.data_keys (site_id, version, master_kid, wrapped) values (p_site, p_version, p_master_kid, p_wrapped) on conflict do nothing;
  return found;
end $$;
--> statement-breakpoint

create function public.require_superuser(p_caller bigint) returns void
language plpgsql as $$
begin
  perform from public.users u where u.id = p_caller and u.is_superuser;
  if not found then
    raise sqlstate 'TS403' using message = 'for superusers alone';
  end if;
end $$;
--> statement-breakpoint

-- Enters a site for work of the service's own, which nobody asks for.
create function public.enter_as_service(p_site bigint, p_schema_version integer, p_timeout_ms integer) returns void
language plpgsql as $$
begin
  perform from public.sites s where s.id = p_site and s.schema_version >= p_schema_version;
  if not found then
    raise sqlstate 'TS503' using message = 'no such site, or its schema is not migrated yet';
  end if;
  perform set_config('search_path', 'site_' || p_site, true);
  perform set_config('statement_timeout', p_timeout_ms::text, true);
  perform set_config('lock_timeout', '5000', true);
  perform set_config('timezone', 'UTC', true);
  perform set_config('role', 'site_' || p_site, true);
end $$;
--> statement-breakpoint

-- What a transaction makes stale of what is kept outside of the database: triggers note the names of caches, one a line,
-- and whoever sent the transaction empties these before it answers (src/db/tenant.ts). So no statement can forget it.
-- Arguments: the kind of cache; and the column that names it, else it is the one of the site whose schema this is.
create function public.note_stale() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted text;
begin
  if tg_nargs = 1 then
    select s.slug into noted from public.sites s where s.id = substr(tg_table_schema, length('site_') + 1)::bigint;
    noted := tg_argv[0] || ' ' || noted;
  elsif tg_op = 'INSERT' then
    noted := tg_argv[0] || ' ' || (to_jsonb(new) ->> tg_argv[1]);
  elsif tg_op = 'DELETE' then
    noted := tg_argv[0] || ' ' || (to_jsonb(old) ->> tg_argv[1]);
  else
    noted := concat_ws(E'\n', tg_argv[0] || ' ' || (to_jsonb(old) ->> tg_argv[1]), tg_argv[0] || ' ' || (to_jsonb(new) ->> tg_argv[1]));
  end if;
  perform set_config('tessera.stale', concat_ws(E'\n', nullif(current_setting('tessera.stale', true), ''), noted), true);
  return null;
end $$;
--> statement-breakpoint

-- What decides who somebody is and what they may.
create trigger users_note_stale after update on public.users for each row
  when ((old.is_active, old.is_superuser, old.tokens_valid_after, old.username)
        is distinct from (new.is_active, new.is_superuser, new.tokens_valid_after, new.username))
  execute function public.note_stale('caller', 'id');
create trigger users_note_gone after delete on public.users for each row execute function public.note_stale('caller', 'id');
create trigger memberships_note_stale after insert or update or delete on public.memberships for each row
  execute function public.note_stale('caller', 'user_id');
create trigger site_permissions_note_stale after insert or update or delete on public.site_permissions for each row
  execute function public.note_stale('caller', 'user_id');
create trigger sessions_note_ended after insert or update of revoked_at on public.refresh_families for each row
  when (new.revoked_at is not null) execute function public.note_stale('caller', 'user_id');
-- What decides which site a host is.
create trigger site_domains_note_stale after insert or update or delete on public.site_domains for each row
  execute function public.note_stale('host', 'domain');
create trigger sites_note_stale after update on public.sites for each row
  when ((old.is_active, old.slug) is distinct from (new.is_active, new.slug)) execute function public.note_stale('secrets', 'slug');
--> statement-breakpoint

revoke execute on function public.introduce, public.use_data_key, public.add_data_key, public.require_superuser,
  public.enter_as_service, public.note_stale from public;
