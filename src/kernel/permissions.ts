/** The rights a user can have in a site. Spec: Invitation, site permission values. */
export const permissions = [
  'access_site',
  'view_site',
  'change_site',
  'delete_site',
  'manage_site',
  'manage_site_users',
  'admin_site',
] as const
export type Permission = (typeof permissions)[number]
