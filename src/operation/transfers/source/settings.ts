/**
 * The settings of a site that clients can change. A copy, an archive of the service and a folder of the CLI
 * contain them.
 */

/** The members of a change of a site (src/identity/organizations/sites/schema.ts) that transfers copy. */
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

/**
 * Returns a logo in the form that a change of a site accepts, so that the copy does not depend on its
 * address.
 */
export const logoText = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
