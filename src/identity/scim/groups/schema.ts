/** The bodies of groups. RFC 7643 §4.2. */
import * as z from 'zod'
import { meta, schemasOf, urn } from '../messages.ts'
import { anyCase } from '../names.ts'

const ignored = z.unknown().optional().meta({ readOnly: true, description: 'Ignored.' })

/** The id of a user, which some directories send as a number. */
const userId = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'The id of a user of the organization is required.')
    .transform(Number),
)

const member = anyCase(
  z.strictObject({
    value: userId.meta({ type: 'string', description: 'The id of the user.' }),
    display: ignored,
    type: ignored,
  }),
)
/** The most members in one request. */
const membersMax = 5_000

const writable = {
  externalId: z.string().trim().max(254).nullish().describe('The id in the directory.'),
  displayName: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'Control characters are not allowed.')
    .describe('The name. It is unique in the organization.'),
  members: z.array(member).max(membersMax).nullish().describe('The users in the group.'),
}

/** The body that creates or replaces a group. */
export const groupBody = anyCase(
  z.strictObject({
    schemas: z
      .unknown()
      .optional()
      .meta({ readOnly: true, description: `The names of the schemas: \`${urn.group}\`.` }),
    id: ignored,
    meta: ignored,
    ...writable,
  }),
)
export type GroupBody = z.output<typeof groupBody>

/** The values that a PATCH can have, each as in the body of a group. */
export const groupValues = writable

/** The members in the value of a PATCH: one or several. */
export const someMembers = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(member).max(membersMax),
)

/**
 * A group in an answer. If the query string asks for other attributes, only `schemas` and `id` are always
 * present.
 */
export const group = z
  .object({
    schemas: schemasOf(urn.group),
    id: z.string().describe('The id. It never changes.'),
    externalId: z.string().optional().describe('The id in the directory.'),
    displayName: z.string().optional().describe('The name.'),
    members: z
      .array(
        z.object({
          value: z.string().optional().describe('The id of the user.'),
          display: z.string().optional().describe('The name of the user.'),
          type: z.string().optional().describe('`User`.'),
        }),
      )
      .optional()
      .describe('The users in the group.'),
    meta: meta.partial().optional(),
  })
  .meta({ id: 'ScimGroup', description: "A group of an organization's directory." })
export type ScimGroup = z.output<typeof group>
