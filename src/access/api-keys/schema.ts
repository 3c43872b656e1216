import { z } from 'zod'
import { listQuery } from '../../http/lists/list.ts'
import { id, timestamp } from '../../http/openapi/bodies.ts'
import { returnable } from '../../http/returnable.ts'
import { list } from './store.ts'

export const apiKeysQuery = listQuery(list, {})
export type ApiKeysQuery = z.infer<typeof apiKeysQuery>

export const apiKey = z
  .object({
    id,
    name: z.string(),
    prefix: z.string().meta({ description: 'How the key begins.' }),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

/** Once, when it is made. */
export const newApiKey = apiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' })
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
