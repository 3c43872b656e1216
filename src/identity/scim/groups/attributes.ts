/**
 * The attributes of groups, in one place: for /Schemas, filters, orders and the paths of changes. RFC 7643
 * §4.2.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Attribute, idsOf } from '../attributes.ts'
import { displayName, metaAttribute } from '../users/attributes.ts'

/** The parts of a member, of the account `a`. */
export const memberParts: readonly Attribute[] = [
  {
    name: 'value',
    type: 'string',
    description: 'The id of the user.',
    isCaseExact: true,
    sql: sql`a.id::text`,
  },
  {
    name: 'display',
    type: 'string',
    description: 'The name of the user.',
    isReadOnly: true,
    sql: displayName,
  },
  { name: 'type', type: 'string', description: '`User`.', isReadOnly: true, sql: sql`'User'::text` },
]

/** A query for the accounts `a` in the groups of an organization. Further conditions can be appended. */
export const membersIn = (organization: Sql, group: Sql): Sql => sql`
  from public.scim_group_members(${organization}) m
  join public.scim_accounts(${organization}) a on a.id = m.user_id
 where m.group_id = ${group}`

/** The attributes of the groups `g` of an organization. */
export const groupAttributes = (organization: Sql): readonly Attribute[] => [
  ...idsOf(sql`g.id::text`, sql`g.external_id`),
  {
    name: 'displayName',
    type: 'string',
    description: 'The name, which no other group of the organization has.',
    isRequired: true,
    isUnique: true,
    sql: sql`g.name`,
  },
  {
    name: 'members',
    type: 'complex',
    description: 'The users in the group.',
    isMultiValued: true,
    parts: memberParts,
    holds: (condition) => sql`exists (select ${membersIn(organization, sql`g.id`)} and ${condition})`,
  },
  metaAttribute(sql`g.created`, sql`coalesce(g.modified, g.created)`),
]
