-- Triggers that write the audit (public.note_change) and keep it append-only (public.keep_audit).
create or replace trigger users_audit after insert or update on public.users
  for each row execute function public.note_change('user', 'id', 'username', 'is_active,is_superuser',
    'last_login,sign_ins_ended,generation,email_verified_at,password_is_own,factors_are_own');
create or replace trigger organizations_audit after insert or update or delete on public.organizations
  for each row execute function public.note_change('organization', 'id', 'slug',
    'name,slug,deletes_at,requires_factor', '');
create or replace trigger memberships_audit after insert or update or delete on public.memberships
  for each row execute function public.note_change('membership', 'user_id', 'user_id', 'role', 'joined_by');
create or replace trigger groups_audit after insert or update or delete on public.groups
  for each row execute function public.note_change('group', 'id', 'name', '', 'modified');
create or replace trigger group_members_audit after insert or update or delete on public.group_members
  for each row execute function public.note_change('group_membership', 'user_id', 'user_id', '', '');
create or replace trigger sites_audit after insert or update or delete on public.sites
  for each row execute function public.note_change('site', 'id', 'slug',
    'name,slug,environment,paused,is_active,suspended_by,deletes_at,'
    'sign_up,require_verified_email,sign_up_by_provider,requires_factor,branding,roles',
    'catalog_version,exceeded,followed_until');
create or replace trigger site_permissions_audit after insert or update or delete on public.site_permissions
  for each row execute function public.note_change('permission', 'user_id', 'user_id',
    'permissions,roles', '');
create or replace trigger api_keys_audit after insert or update or delete on public.api_keys
  for each row execute function public.note_change('api_key', 'id', 'prefix', 'name',
    'is_own,generation,revision,last_used_at');
create or replace trigger scim_keys_audit after insert or update or delete on public.scim_keys
  for each row execute function public.note_change('scim_key', 'id', 'prefix', 'name', 'last_used_at');
create or replace trigger scim_users_audit after insert or update or delete on public.scim_users
  for each row execute function public.note_change('scim_user', 'user_id', 'user_name', 'is_suspended',
    'created,modified');
create or replace trigger invitations_audit after insert or update or delete on public.invitations
  for each row execute function public.note_change('invitation', 'id', 'invitee_identifier', 'config',
    'code_hash,mail,mail_wanted_at,mail_version,notice,notice_to,invitee');
create or replace trigger social_accounts_audit after insert or update or delete on public.social_accounts
  for each row execute function public.note_change('social_account', 'id', 'user_id', '', 'last_login');
create or replace trigger totp_secrets_audit after insert or update or delete on public.totp_secrets
  for each row execute function public.note_change('second_factor', 'user_id', 'user_id', '',
    'secret,master_kid,last_step,failures,blocked_until');
create or replace trigger passkeys_audit after insert or update or delete on public.passkeys
  for each row execute function public.note_change('passkey', 'id', 'user_id', '', 'counter,last_used_at');
create or replace trigger site_domains_audit after insert or update or delete on public.site_domains
  for each row execute function public.note_change('domain', 'domain', 'domain', 'is_primary,verified_at',
    'checked_at,failures,token,token_created');
create or replace trigger users_audit_delete before delete on public.users
  for each row execute function public.note_account();
create or replace trigger audit_entries_keep after update or delete on public.audit_entries
  for each statement execute function public.keep_audit();
create or replace trigger audit_entries_keep_all before truncate on public.audit_entries
  for each statement execute function public.keep_audit();
create or replace trigger transfers_audit after insert or update or delete on public.transfers
  for each row execute function public.note_change('transfer', 'id', 'slug', 'kind,state,downloads',
    'site_id,target_id,options,sealed,tasks,position,place,counts,notes,error,lease,leased_until,attempts,'
    'created_by,ended_at,expires_at');
create or replace trigger site_limits_audit after insert or update or delete on public.site_limits
  for each row execute function public.note_change('limit', 'measure', 'measure', 'soft,hard', 'told_for');
