/** Which slugs are valid. slug.ts makes them. */

/** Matches a valid slug. It is a DNS label, because it may become a subdomain. */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The rule for slugs, for messages. */
export const slugRule =
  'A slug has 1 to 63 lower-case letters, digits and hyphens, and does not begin or end with a hyphen.'
