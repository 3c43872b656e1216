/**
 * The attributes of users, in one place: for /Schemas, filters, orders and the paths of changes. RFC 7643
 * §4.1.
 */
import { type Sql, sql } from '../../../kernel/db/sql.ts'
import { type Attribute, idsOf } from '../attributes.ts'

const fullName = sql`nullif(concat_ws(' ', a.given_name, a.family_name), '')`
export const displayName = sql`coalesce(a.display_name, ${fullName}, a.user_name)`

/** The attributes of the accounts `a` of an organization (public.scim_accounts). */
export const userAttributes = (organization: Sql): readonly Attribute[] => [
  ...idsOf(sql`a.id::text`, sql`a.external_id`),
  {
    name: 'userName',
    type: 'string',
    description: 'The name in the directory, which no other user of the organization has.',
    isRequired: true,
    isUnique: true,
    sql: sql`a.user_name`,
  },
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    parts: [
      {
        name: 'formatted',
        type: 'string',
        description: 'The first and the last name. Values that are sent are ignored.',
        sql: fullName,
      },
      { name: 'givenName', type: 'string', description: 'The first name.', sql: sql`a.given_name` },
      { name: 'familyName', type: 'string', description: 'The last name.', sql: sql`a.family_name` },
    ],
  },
  { name: 'displayName', type: 'string', description: 'The display name.', sql: displayName },
  {
    name: 'preferredLanguage',
    type: 'string',
    description: 'The language, for example `en-US`.',
    sql: sql`a.preferred_language`,
  },
  {
    name: 'active',
    type: 'boolean',
    description: 'Whether the user is a member who can sign in, or is invited to become one.',
    sql: sql`a.is_active`,
  },
  {
    name: 'emails',
    type: 'complex',
    description: 'The e-mail address for work. Others are ignored.',
    isMultiValued: true,
    parts: [
      { name: 'value', type: 'string', description: 'The address.', sql: sql`public.shown_address(a.email)` },
      { name: 'type', type: 'string', description: '`work`.', sql: sql`'work'::text` },
      { name: 'primary', type: 'boolean', description: '`true`.', sql: sql`true` },
    ],
    holds: (condition) => sql`(a.email is not null and ${condition})`,
  },
  {
    name: 'groups',
    type: 'complex',
    description: 'The groups of the user. To change them, use the group resources.',
    isMultiValued: true,
    isReadOnly: true,
    parts: [
      {
        name: 'value',
        type: 'string',
        description: 'The id of the group.',
        isReadOnly: true,
        isCaseExact: true,
        sql: sql`g.id::text`,
      },
      {
        name: 'display',
        type: 'string',
        description: 'The name of the group.',
        isReadOnly: true,
        sql: sql`g.name`,
      },
    ],
    holds: (condition) => sql`exists (
      select from public.scim_group_members(${organization}) m join public.groups g on g.id = m.group_id
       where m.user_id = a.id and ${condition})`,
  },
  metaAttribute(sql`a.created`, sql`a.modified`),
]

/** Returns the attribute `meta` of a resource. */
export function metaAttribute(created: Sql, modified: Sql): Attribute {
  return {
    name: 'meta',
    type: 'complex',
    description: 'The metadata of the resource.',
    isReadOnly: true,
    isCommon: true,
    parts: [
      {
        name: 'created',
        type: 'dateTime',
        description: 'When it was created.',
        isReadOnly: true,
        sql: created,
      },
      {
        name: 'lastModified',
        type: 'dateTime',
        description: 'When it last changed.',
        isReadOnly: true,
        sql: modified,
      },
    ],
  }
}

/** Attributes of RFC 7643 that directories send and that this service does not store. They are ignored. */
export const ignoredAttributes = [
  'addresses',
  'entitlements',
  'ims',
  'locale',
  'nickName',
  'password',
  'phoneNumbers',
  'photos',
  'profileUrl',
  'roles',
  'timezone',
  'title',
  'userType',
  'x509Certificates',
] as const
/** The same for the parts of a name. */
export const ignoredNameParts = ['formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'] as const
