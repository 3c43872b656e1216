/** What of a site a client may set, and is part of it: a copy has it, and an archive of the service or of the CLI. */

/** The members of a change of a site (src/organizations/sites/schema.ts) that transfers carry. */
export const siteSettings = [
  'environment',
  'sign_up',
  'allowed_domains',
  'require_verified_email',
  'sign_up_by_provider',
  'domain_groups',
  'requires_factor',
  'branding',
] as const

/** Returns a logo as changes of a site take it, so that it needs no address. */
export const logoText = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
