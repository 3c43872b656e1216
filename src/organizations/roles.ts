/** Roles in an organization. T4. */

/** Everybody in it, whatever the role. */
export const anyMember = ['owner', 'admin', 'member'] as const
/** Who manages it; they hold every permission in its sites. */
export const managers = ['owner', 'admin'] as const
