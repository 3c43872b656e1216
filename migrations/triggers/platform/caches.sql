-- Triggers that note which caches a change makes stale (public.note_stale).

-- The cache of callers: their accounts and rights.
create or replace trigger users_note_stale after update on public.users for each row
  when ((old.is_active, old.is_superuser, old.generation, old.username)
        is distinct from (new.is_active, new.is_superuser, new.generation, new.username))
  execute function public.note_stale('caller', 'id');
create or replace trigger users_note_gone after delete on public.users
  for each row execute function public.note_stale('caller', 'id');
create or replace trigger memberships_note_stale after insert or update or delete on public.memberships
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger site_permissions_note_stale after insert or update or delete
  on public.site_permissions
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger group_members_note_stale after insert or delete on public.group_members
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger site_guests_note_blocked after insert on public.site_guests
  for each row when (new.blocked_at is not null) execute function public.note_stale('caller', 'user_id');
create or replace trigger site_guests_note_stale after delete or update of joined_at, blocked_at
  on public.site_guests
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger social_accounts_note_stale after insert or delete on public.social_accounts
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger sessions_note_ended after insert or update of revoked_at on public.refresh_families
  for each row when (new.revoked_at is not null) execute function public.note_stale('caller', 'user_id');

create or replace trigger organizations_note_stale after update on public.organizations for each row
  when (old.requires_factor <> new.requires_factor) execute function public.note_stale_organization();
create or replace trigger totp_secrets_note_stale after delete on public.totp_secrets
  for each row execute function public.note_stale('caller', 'user_id');
create or replace trigger passkeys_note_stale after delete on public.passkeys
  for each row execute function public.note_stale('caller', 'user_id');

-- The cache of hosts: the site of each.
create or replace trigger site_domains_note_stale after insert or delete or update of verified_at
  on public.site_domains
  for each row execute function public.note_stale('host', 'domain');

-- The caches that have the slug of a site.
create or replace trigger sites_note_stale after update on public.sites for each row
  when ((old.is_active, old.slug, old.requires_factor)
        is distinct from (new.is_active, new.slug, new.requires_factor))
  execute function public.note_stale_site();
create or replace trigger sites_note_gone after delete on public.sites
  for each row execute function public.note_stale_site();
