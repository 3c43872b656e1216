/** The names of the roles that people have in a site. X2. */

/** Matches the name of a role. */
export const rolePattern = /^[a-z][a-z0-9_-]{0,62}$/

/** The rule for names of roles, for messages. */
export const roleRule =
  'The name of a role has up to 63 lower-case letters, digits, hyphens and underscores, and begins with ' +
  'a letter.'
