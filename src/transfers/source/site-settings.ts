/** What of a site a client may set, and is part of a copy or an archive of it. */
export const siteSettings = [
  'sign_up',
  'allowed_domains',
  'require_verified_email',
  'sign_up_by_provider',
  'domain_groups',
  'requires_factor',
] as const
