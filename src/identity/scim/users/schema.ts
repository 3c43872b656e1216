/** The bodies of users. RFC 7643 §4.1. */
import * as z from 'zod'
import { personName } from '../../users/schema.ts'
import { meta, schemasOf, urn } from '../messages.ts'
import { anyCase } from '../names.ts'
import { ignoredAttributes, ignoredNameParts } from './attributes.ts'

const line = z
  .string()
  .trim()
  .max(254)
  .regex(/^\P{C}*$/u, 'Control characters are not allowed.')
const ignored = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.unknown().optional().meta({ readOnly: true, description: 'Ignored.' })]),
  )

const name = anyCase(
  z.strictObject({
    ...ignored(ignoredNameParts),
    givenName: personName.nullish().describe('The first name.'),
    familyName: personName.nullish().describe('The last name.'),
  }),
)

const emailEntry = anyCase(
  z.looseObject({
    value: z.string().describe('The address.'),
    type: z.string().nullish().describe('The kind of the address. The address of the kind `work` is stored.'),
    primary: z.unknown().optional().describe('Whether this is the primary address, which is stored.'),
  }),
)
export type EmailEntry = z.output<typeof emailEntry>

/** A boolean. The texts "True" and "False", which Microsoft Entra sends, are accepted, too. */
const boolean = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  return { true: true, false: false }[value.toLowerCase()] ?? value
}, z.boolean())

const writable = {
  externalId: line.nullish().describe('The id in the directory.'),
  userName: line.min(1).describe('The name in the directory. It is unique in the organization.'),
  name: name.nullish().describe('The parts of the name.'),
  displayName: line.nullish().describe('The display name.'),
  preferredLanguage: line.nullish().describe('The language, for example `en-US`.'),
  active: boolean.nullish().describe('Whether the user is a member who can sign in.'),
  emails: z
    .array(emailEntry)
    .max(50)
    .nullish()
    .describe(
      'The e-mail addresses. Only one is stored: the primary one, else the one of the type `work`, ' +
        'else the first.',
    ),
}

const readOnly = {
  schemas: z
    .unknown()
    .optional()
    .meta({ readOnly: true, description: `The names of the schemas: \`${urn.user}\`.` }),
  ...ignored(['id', 'meta', 'groups', ...ignoredAttributes]),
}

/** The body that creates or replaces a user. */
export const userBody = anyCase(z.strictObject({ ...readOnly, ...writable }))
export type UserBody = z.output<typeof userBody>

/** The changes of a PATCH, as the body of a user. */
export const userChange = z.strictObject({ ...writable, userName: writable.userName.optional() })
export type UserChange = z.output<typeof userChange>

/**
 * A user in an answer. If the query string asks for other attributes, only `schemas` and `id` are always
 * present.
 */
export const user = z
  .object({
    schemas: schemasOf(urn.user),
    id: z.string().describe('The id. It never changes.'),
    externalId: z.string().optional().describe('The id in the directory.'),
    userName: z.string().optional().describe('The name in the directory.'),
    name: z
      .object({
        formatted: z.string().optional().describe('The first and the last name.'),
        givenName: z.string().optional().describe('The first name.'),
        familyName: z.string().optional().describe('The last name.'),
      })
      .optional()
      .describe('The parts of the name.'),
    displayName: z.string().optional().describe('The display name.'),
    preferredLanguage: z.string().optional().describe('The language.'),
    active: z.boolean().optional().describe('Whether the user is a member, or is invited to become one.'),
    emails: z
      .array(
        z.object({
          value: z.string().optional().describe('The address.'),
          type: z.string().optional().describe('`work`.'),
          primary: z.boolean().optional().describe('`true`.'),
        }),
      )
      .optional()
      .describe('The e-mail address.'),
    groups: z
      .array(
        z.object({
          value: z.string().optional().describe('The id of the group.'),
          display: z.string().optional().describe('The name of the group.'),
        }),
      )
      .optional()
      .describe('The groups of the user.'),
    meta: meta.partial().optional(),
  })
  .meta({ id: 'ScimUser', description: "A user of an organization's directory." })
export type ScimUser = z.output<typeof user>
