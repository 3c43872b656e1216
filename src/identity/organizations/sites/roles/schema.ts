/** The bodies and query parameters of the roles of a site. X2. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../../kernel/http/lists/list.ts'
import { rolePattern, roleRule } from '../../../../kernel/lib/role-name.ts'

const rolesMax = 50

/** A role that people can have in a site. What it may do is written in access rules. */
export const role = z
  .strictObject({
    name: z.string().regex(rolePattern, roleRule).describe('The name, which rules contain: `role:<name>`.'),
    title: z.string().trim().max(100).default('').describe('The name for people.'),
    description: z.string().trim().max(1000).default('').describe('What the role is for.'),
    groups: z
      .array(z.string().trim().min(1).max(150))
      .max(rolesMax)
      .default([])
      .describe('The groups of the organization whose members have the role.'),
  })
  .meta({ id: 'SiteRole', description: 'A role that people can have in a site.' })
export type SiteRole = z.output<typeof role>

export const siteRoles = z
  .array(role)
  .max(rolesMax)
  .refine(
    (roles) => new Set(roles.map(({ name }) => name)).size === roles.length,
    'Two roles have the same name.',
  )
  .describe('The roles that people can have in the site.')

/** The orderings and the search of the list. */
export const rolesForm = {
  orderings: ['name', 'title'],
  ordering: 'name',
  searched: 'the name, the title or the description',
} as const satisfies ListForm

/** The query parameters of the list. */
export const rolesQuery = listQuery(rolesForm, {})
export type RolesQuery = z.infer<typeof rolesQuery>

/** Names of roles of a site, in a body that gives them. */
export const roleNames = z.array(role.shape.name).max(rolesMax)
