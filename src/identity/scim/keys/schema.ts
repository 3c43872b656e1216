/** The bodies of the keys of directories. */
import * as z from 'zod'
import { type ListForm, listQuery } from '../../../kernel/http/lists/list.ts'
import { id, timestamp } from '../../../kernel/http/openapi/bodies.ts'
import { withReadOnly } from '../../../kernel/http/with-read-only.ts'

/** The orders and the search of the list. */
export const listForm = {
  orderings: ['id', 'name', 'created_at', 'last_used_at'],
  ordering: 'id',
  searched: 'the name or the beginning',
} as const satisfies ListForm

/** The query string of the list. */
export const scimKeysQuery = listQuery(listForm, {})
export type ScimKeysQuery = z.infer<typeof scimKeysQuery>

const common = {
  id: id.describe('The id of the key.'),
  name: z.string().describe('The name of the key, which the audit shows.'),
  prefix: z.string().meta({ description: 'The first characters of the key.' }),
  created_by: id
    .nullable()
    .describe('The id of the account that created the key. Null if that account was deleted.'),
  created_at: timestamp.describe('When the key was created.'),
}

/** A key as the list shows it. */
export const scimKey = z
  .object({
    ...common,
    last_used_at: timestamp.nullable().describe('When the key was last used, to the minute.'),
  })
  .meta({ id: 'ScimKey', description: "A key of an organization's directory, without the key itself." })
export type ScimKey = z.infer<typeof scimKey>

/** The response that creates a key. */
export const newScimKey = z
  .object({ ...common, key: z.string().describe('The key. Only this response shows it.') })
  .meta({ id: 'NewScimKey', description: "A key of an organization's directory, with the key itself." })
export type NewScimKey = z.infer<typeof newScimKey>

/** The body that creates a key. */
export const scimKeyInput = withReadOnly(
  {
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^\P{C}*$/u, 'Control characters are not allowed.'),
  },
  newScimKey,
  scimKey,
)
export type ScimKeyInput = z.infer<typeof scimKeyInput>
