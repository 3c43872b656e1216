import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { id, timestamp } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { list } from './store.ts'

export const apiKeysQuery = listQuery(list, {})
export type ApiKeysQuery = z.infer<typeof apiKeysQuery>

export const apiKey = z
  .object({
    id: id.describe('The id of the key.'),
    name: z.string().describe('The name of the key.'),
    prefix: z.string().meta({ description: 'How the key begins.' }),
    created_at: timestamp.describe('When the key was created.'),
    expires_at: timestamp.nullable().describe('When the key expires; null: never.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself.' })
export type ApiKey = z.infer<typeof apiKey>

/** Once, when it is made. */
export const newApiKey = apiKey
  .extend({ key: z.string().describe('The key. It is shown this once.') })
  .meta({ id: 'NewApiKey', description: 'An API key, with the key itself.' })
export type NewApiKey = z.infer<typeof newApiKey>

export const apiKeyInput = returnable(
  {
    name: z.string().trim().min(1).max(100),
    expires_at: z.iso
      .datetime({ offset: true, error: 'A date and time with its offset is required, as 2027-01-31T18:30:00Z.' })
      .refine((moment) => !(Date.parse(moment) <= Date.now()), 'This moment has passed.')
      .nullable()
      .default(null),
  },
  newApiKey,
)
export type ApiKeyInput = z.infer<typeof apiKeyInput>
