/** The roles in an organization. T4. */

/** All roles, for operations that are open to every member. */
export const anyMember = ['owner', 'admin', 'member'] as const

/** The roles that manage the organization. They hold every permission in its sites. */
export const managers = ['owner', 'admin'] as const
